// jstat ships no types; these are the parts used here.
declare module 'jstat' {
  const jStat: {
    binomial: { cdf(successes: number, trials: number, probability: number): number };
    normal: { inv(p: number, mean: number, sd: number): number };
    studentt: { inv(p: number, freedom: number): number };
  };
  export default jStat;
}
