import type { Logger } from '@agent-faculties/service-kit';
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  UriTemplate,
} from '@modelcontextprotocol/server';
import type { Call } from './operation-calls.ts';
import { inWords, problemOf } from './tool-call.ts';

/** A resource that a person picks or a host loads by its address. Every role may read it. */
export interface ReadableResource<Operations> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A URI, or a template of URIs (RFC 6570). */
  readonly uri: string;
  readonly mimeType: string;
  /** For a template: some of its resources. */
  readonly list?: (call: Call<Operations>) => Promise<readonly ListedResource[]>;
  readonly read: (variables: Readonly<Record<string, string>>, call: Call<Operations>) => Promise<string>;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
}

interface ReadContext<Operations> {
  readonly call: Call<Operations>;
  readonly log: Logger;
}

export async function resourceListing<Operations>(
  resources: readonly ReadableResource<Operations>[],
  call: Call<Operations>,
): Promise<ListResourcesResult> {
  const listed = await Promise.all(
    resources.map(async ({ name, title, description, uri, mimeType, list }) => {
      if (!UriTemplate.isTemplate(uri)) return [{ uri, name, title, description, mimeType }];
      return ((await list?.(call)) ?? []).map((one) => ({ ...one, mimeType }));
    }),
  );
  return { resources: listed.flat() };
}

export function templateListing<Operations>(
  resources: readonly ReadableResource<Operations>[],
): ListResourceTemplatesResult {
  const templates = resources.filter(({ uri }) => UriTemplate.isTemplate(uri));
  return {
    resourceTemplates: templates.map(({ name, title, description, uri, mimeType }) => ({
      uriTemplate: uri,
      name,
      title,
      description,
      mimeType,
    })),
  };
}

/** @throws ResourceNotFoundError, ProtocolError that says what to do */
export async function readResource<Operations>(
  resources: readonly ReadableResource<Operations>[],
  uri: string,
  { call, log }: ReadContext<Operations>,
): Promise<ReadResourceResult> {
  for (const resource of resources) {
    const variables = variablesOf(resource.uri, uri);
    if (variables === null) continue;
    try {
      return { contents: [{ uri, mimeType: resource.mimeType, text: await resource.read(variables, call) }] };
    } catch (error) {
      const problem = problemOf(error, log);
      if (problem.status === 404) throw new ResourceNotFoundError(uri);
      throw new ProtocolError(codeFor(problem.status), inWords(problem));
    }
  }
  throw new ResourceNotFoundError(uri);
}

/** The variables of an address; null when it does not fit the template. */
function variablesOf(template: string, uri: string): Record<string, string> | null {
  if (!UriTemplate.isTemplate(template)) return template === uri ? {} : null;
  const found = new UriTemplate(template).match(uri);
  if (!found) return null;
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, decodeURIComponent(String(value))]));
}

export function codeFor(status: number): ProtocolErrorCode {
  return status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
}
