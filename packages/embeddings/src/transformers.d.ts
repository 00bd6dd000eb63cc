// Each part of transformers.js from its own file: the index loads every task of a model too, and a library for pictures.
declare module '@xenova/transformers/src/env.js' {
  export { env } from '@xenova/transformers';
}
declare module '@xenova/transformers/src/tokenizers.js' {
  export { AutoTokenizer } from '@xenova/transformers';
}
