/** Keeps the slots with the highest scores of many: a heap whose root is the worst that is kept. */
export class TopSlots {
  readonly slots: Int32Array;
  size = 0;
  private readonly scores: Float32Array;

  constructor(capacity: number) {
    this.slots = new Int32Array(capacity);
    this.scores = new Float32Array(capacity);
  }

  clear(): void {
    this.size = 0;
  }

  /** Whether `offer` would keep this score. */
  wants(score: number): boolean {
    return this.size < this.slots.length || score > (this.scores[0] as number);
  }

  offer(slot: number, score: number): void {
    if (this.size < this.slots.length) this.rise(this.size++, slot, score);
    else if (score > (this.scores[0] as number)) this.sink(slot, score);
  }

  private rise(from: number, slot: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.scores[parent] as number) <= score) break;
      this.copy(parent, at);
      at = parent;
    }
    this.put(at, slot, score);
  }

  private sink(slot: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && (this.scores[child + 1] as number) < (this.scores[child] as number)) child++;
      if ((this.scores[child] as number) >= score) break;
      this.copy(child, at);
      at = child;
    }
    this.put(at, slot, score);
  }

  private copy(from: number, to: number): void {
    this.put(to, this.slots[from] as number, this.scores[from] as number);
  }

  private put(at: number, slot: number, score: number): void {
    this.slots[at] = slot;
    this.scores[at] = score;
  }
}
