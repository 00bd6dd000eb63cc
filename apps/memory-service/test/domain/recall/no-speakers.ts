import type { SpeakerNames } from '../../../src/domain/recall/question/speaker-names.ts';

/** Nobody is known by any name. */
export const NO_SPEAKERS: SpeakerNames = {
  hasOneCalled: () => false,
  find: () => null,
  findAgent: () => null,
  findAgentByPart: () => null,
  findTeller: () => null,
};
