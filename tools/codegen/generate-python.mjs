// Types and methods of both contracts for clients/python.
import { writeFileSync } from 'node:fs';
import { readContract } from './contract.mjs';

const root = new URL('../../', import.meta.url);
/** Of Python, in small letters; no argument of a method is called so. */
const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const home = new URL('clients/python/src/agent_faculties/', root);

function module(service, document, operations) {
  const types = new Types(document);
  for (const [name, schema] of Object.entries(document.components.schemas)) types.declare(name, schema);
  const methods = operations.map((operation) => new Method(operation, types));
  const className = service[0].toUpperCase() + service.slice(1);
  return [
    `# Generated from apps/${service}-service/openapi.yaml; do not edit.`,
    '# ruff: noqa',
    'from __future__ import annotations',
    '',
    'from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator',
    'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict',
    '',
    'from ._answers import AsyncPages, Line, Pages, ServerEvent',
    'from ._async_calls import AsyncCaller',
    'from ._calls_gen import Caller',
    'from ._request import CallOptions, Null, Operation',
    '',
    ...types.definitions(),
    '',
    'OPERATIONS: dict[str, Operation] = {',
    ...methods.map((method) => method.entry()),
    '}',
    '',
    '',
    `class ${className}Operations(Caller):`,
    '    _operations = OPERATIONS',
    '',
    ...methods.flatMap((method) => method.lines({ isAsync: false })),
    '',
    `class Async${className}Operations(AsyncCaller):`,
    '    _operations = OPERATIONS',
    '',
    ...methods.flatMap((method) => method.lines({ isAsync: true })),
  ].join('\n');
}

/** Python types of schemas; objects become TypedDicts, those without a name are named after where they stand. */
class Types {
  #document;
  #made = new Map();

  constructor(document) {
    this.#document = document;
  }

  declare(name, schema) {
    if (this.#made.has(name)) return name;
    this.#made.set(name, null);
    const fields = this.#fieldsOf(schema);
    if (fields === null) this.#made.set(name, `${name}: TypeAlias = ${this.#plain(schema, name, true)}`);
    else this.#made.set(name, this.#typedDict(name, fields));
    return name;
  }

  /** The type of a schema as an annotation. */
  of(schema, name) {
    if (!schema) return 'Any';
    if (schema.$ref) return this.declare(schema.$ref.split('/').at(-1), this.#follow(schema));
    const fields = this.#fieldsOf(schema);
    if (fields === null) return this.#plain(schema, name, false);
    if (Object.keys(fields.properties).length === 0) return 'dict[str, Any]';
    return this.declare(name, schema);
  }

  /** Properties of an object, those of its parts included; null for anything else. */
  fields(schema) {
    return this.#fieldsOf(schema) ?? { properties: {}, required: [] };
  }

  definitions() {
    return [...this.#made.values()].flatMap((definition) => [
      definition,
      ...(definition.startsWith('class') ? ['', ''] : []),
    ]);
  }

  /** Whether null fits a schema. */
  admitsNull(schema) {
    if (schema.$ref) return this.admitsNull(this.#follow(schema));
    const kinds = [schema.type].flat();
    return kinds.includes('null') || (schema.anyOf ?? schema.oneOf ?? []).some((part) => this.admitsNull(part));
  }

  #follow(schema) {
    return schema.$ref
      .slice(2)
      .split('/')
      .reduce((part, name) => part[name], this.#document);
  }

  #fieldsOf(schema) {
    if (schema.$ref) return this.#fieldsOf(this.#follow(schema));
    const parts = [
      ...(schema.allOf ?? []).map((part) => this.#fieldsOf(part)),
      schema.properties ? { properties: schema.properties, required: [] } : null,
    ];
    const found = parts.filter(Boolean);
    if (found.length === 0) return null;
    return {
      properties: Object.assign({}, ...found.map(({ properties }) => properties)),
      required: [...found.flatMap(({ required }) => required), ...(schema.required ?? [])],
    };
  }

  #typedDict(name, { properties, required }) {
    const lines = Object.entries(properties).map(([field, schema]) => {
      const type = this.of(schema, name + pascal(field));
      return `    ${field}: ${required.includes(field) ? type : `NotRequired[${type}]`}`;
    });
    return [`class ${name}(TypedDict):`, ...lines].join('\n');
  }

  #plain(schema, name, isAlias) {
    // An alias is read when the module is, before the classes below it are there.
    const quoted = (type) => (isAlias && /^[A-Z]\w*$/.test(type) ? `"${type}"` : type);
    if (schema.enum) return literal(schema.enum);
    const parts = schema.allOf ?? schema.oneOf ?? schema.anyOf;
    if (parts)
      return union(
        parts.map((part) => this.of(part, name)),
        isAlias,
      );
    if (Array.isArray(schema.type))
      return union(
        schema.type.map((type) => this.#plain({ ...schema, type }, name, false)),
        isAlias,
      );
    if (schema.type === 'array') return `list[${quoted(this.of(schema.items, `${name}Item`))}]`;
    if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
      return `dict[str, ${quoted(this.of(schema.additionalProperties, `${name}Value`))}]`;
    }
    return (
      { string: 'str', integer: 'int', number: 'float', boolean: 'bool', object: 'dict[str, Any]', null: 'None' }[
        schema.type
      ] ?? 'Any'
    );
  }
}

function literal(values) {
  const named = values
    .filter((value) => value !== null)
    .map((value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)));
  return `Literal[${named.join(', ')}]${values.includes(null) ? ' | None' : ''}`;
}

function union(types, isAlias) {
  const distinct = [...new Set(types)];
  const text = distinct.join(' | ');
  return isAlias && distinct.length > 1 ? JSON.stringify(text) : text;
}

class Method {
  #operation;
  #name;
  #fields;
  #answer;

  constructor(operation, types) {
    this.#operation = operation;
    this.#name = snake(operation.id);
    this.#fields = fieldsOf(operation, types);
    this.#answer = answerType(operation, types);
  }

  /** What the client has to know of it when it is called. */
  entry() {
    const { id, method, path, bodySchema, takesLines, parameters, answers, pages, repeatable, key } = this.#operation;
    const headers = parameters.filter(({ in: place }) => place === 'header').map(({ name }) => [python(name), name]);
    const parts = [
      JSON.stringify(method),
      JSON.stringify(path),
      bodySchema && 'body=True',
      takesLines && 'takes_lines=True',
      headers.length > 0 && `headers={${headers.map(([name, header]) => `"${name}": "${header}"`).join(', ')}}`,
      answers !== 'json' && `answers=${JSON.stringify(answers)}`,
      pages && `pages=${JSON.stringify(pages)}`,
      method !== 'GET' && repeatable && `repeatable=${repeatable === true ? 'True' : JSON.stringify(repeatable)}`,
      key && `key=${JSON.stringify(key)}`,
    ];
    return `    ${JSON.stringify(snake(id))}: Operation(${parts.filter(Boolean).join(', ')}),`;
  }

  lines({ isAsync }) {
    const { answers, pages, takesLines, bodySchema } = this.#operation;
    const call = (helper) => `self.${helper}(OPERATIONS[${JSON.stringify(this.#name)}], ${this.#given()}, options)`;
    if (takesLines && !bodySchema) {
      const lines = isAsync ? 'Iterable[Line] | AsyncIterable[Line]' : 'Iterable[Line]';
      return [
        `    ${isAsync ? 'async ' : ''}def ${this.#name}(self, lines: ${lines}, *, options: CallOptions | None = None) -> ${this.#answer}:`,
        ...this.#doc(),
        `        return ${isAsync ? 'await ' : ''}self._send_lines(OPERATIONS[${JSON.stringify(this.#name)}], lines, {}, options)`,
        '',
      ];
    }
    const iterator = isAsync ? 'AsyncIterator' : 'Iterator';
    const kind =
      answers === 'lines'
        ? { type: `${iterator}[dict[str, Any]]`, helper: '_lines', waits: false }
        : answers === 'events'
          ? { type: `${iterator}[ServerEvent]`, helper: '_events', waits: false }
          : pages
            ? {
                type: `${isAsync ? 'Async' : ''}Pages[${this.#answer}, ${this.#itemType()}]`,
                helper: '_pages',
                waits: false,
              }
            : { type: this.#answer, helper: '_value', waits: isAsync };
    return [
      `    ${kind.waits ? 'async ' : ''}def ${this.#name}(self, ${this.#parameters()}) -> ${kind.type}:`,
      ...this.#doc(),
      `        return ${kind.waits ? 'await ' : ''}${call(kind.helper)}`,
      '',
    ];
  }

  #itemType() {
    return this.#fields.itemType;
  }

  #parameters() {
    const { required, optional } = this.#fields;
    return [
      '*',
      ...required.map(({ name, type }) => `${name}: ${type}`),
      ...optional.map(({ name, type }) => `${name}: ${/ \| None$/.test(type) ? type : `${type} | None`} = None`),
      'options: CallOptions | None = None',
      ...(this.#fields.isOpen ? ['**fields: Any'] : []),
    ].join(', ');
  }

  #given() {
    const { required, optional } = this.#fields;
    const named = [...required, ...optional].map(({ name, sent }) => `"${sent}": ${name}`);
    return `{${[...named, ...(this.#fields.isOpen ? ['**fields'] : [])].join(', ')}}`;
  }

  #doc() {
    const { summary, description, method, path } = this.#operation;
    const text = [`${summary}.`, ...(description ? ['', ...description.split('\n')] : []), '', `\`${method} ${path}\``];
    const lines = text
      .map((line) => (line === '' ? '' : `        ${line}`))
      .join('\n')
      .trimStart();
    return [`        """${lines.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}`, '        """'];
  }
}

/** Path, body or query, and headers: no two of them have a name in common. */
function fieldsOf(operation, types) {
  const { id, parameters, bodySchema, isBodyRequired, pages, answerSchema } = operation;
  const found = new Map();
  const add = (name, type, isRequired) => {
    if (!found.has(name)) found.set(name, { name: argument(python(name)), sent: python(name), type, isRequired });
  };
  const ofPlace = (place) => parameters.filter((parameter) => parameter.in === place);
  for (const { name, schema } of ofPlace('path')) add(name, types.of(schema, pascal(id) + pascal(name)), true);
  if (bodySchema) {
    const { properties, required } = types.fields(bodySchema);
    for (const [name, schema] of Object.entries(properties)) {
      const type = types.of(schema, pascal(id) + pascal(name));
      // None means that the field is not given, so null has a name of its own where an edit understands it.
      const takesNull = operation.method === 'PUT' && types.admitsNull(schema);
      add(name, takesNull ? withNull(type) : type, isBodyRequired && required.includes(name));
    }
  } else {
    for (const { name, schema, required } of ofPlace('query'))
      add(name, types.of(schema, pascal(id) + pascal(name)), required === true);
  }
  for (const { name, schema } of ofPlace('header')) add(name, types.of(schema, pascal(id)), false);
  const all = [...found.values()];
  const itemType = pages ? types.of(types.fields(answerSchema).properties[pages].items, `${pascal(id)}Item`) : 'Any';
  return {
    required: all.filter(({ isRequired }) => isRequired),
    optional: all.filter(({ isRequired }) => !isRequired),
    itemType,
    /** A body may hold whatever its sender has. */
    isOpen: bodySchema?.additionalProperties === true,
  };
}

function withNull(type) {
  return type === 'None' ? 'Null' : `${type} | Null`;
}

function answerType({ id, answers, answerSchema }, types) {
  return answers === 'json' ? types.of(answerSchema, `${pascal(id)}Answer`) : 'str';
}

function snake(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Of a header in small letters; a field of a body is sent as it is named. */
function python(name) {
  return name.includes('-') ? name.replaceAll('-', '_').toLowerCase() : name;
}

/** `from_` where Python has the word for itself. */
function argument(name) {
  return KEYWORDS.has(name) ? `${name}_` : name;
}

function pascal(name) {
  return name.replace(/(?:^|[-_])(\w)/g, (_, letter) => letter.toUpperCase());
}

for (const service of ['memory', 'timing']) {
  const { document, operations } = readContract(new URL(`apps/${service}-service/openapi.yaml`, root));
  writeFileSync(new URL(`_${service}_gen.py`, home), module(service, document, operations));
}
