/** Verbs that join a subject to what is said of it and say little themselves: "the spare key is kept in", "is based in". */
const LIGHT_VERBS =
  /^(?:called|named|name|base[ds]|bas(?:ed|ing)|live[sd]?|works?|working|located|keeps?|kept|stored?|stores|puts?|place[ds]?|sits?|stands?|stood|lies|lays?|stay(?:s|ed)?|hosted|hosts|runs?|running|uses?|used|using|holds?|held|hangs?|hung|takes?|happens?|gets?|got|gives?|given|goes|go|comes?|starts?|begins?|belongs?|owns?|owned|ships?|delivered|leaves|members?|everyone|everybody|whole|mine|ours)$/;

export function isLight(lower: string): boolean {
  return LIGHT_VERBS.test(lower);
}
