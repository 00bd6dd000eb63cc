/** A text that waits for its vector. */
export interface WaitingText<Call extends TextCall> {
  readonly call: Call;
  readonly index: number;
  readonly text: string;
}

/** One embed() call: its texts are taken in order. */
export interface TextCall {
  readonly texts: readonly string[];
}

/** What may be taken in one turn. The first text is taken however long it is. */
export interface TurnLimits {
  readonly texts: number;
  readonly characters: number;
}

interface Place<Call> {
  readonly call: Call;
  next: number;
}

/**
 * Round robin: calls take turns, one text each. A newcomer gets its turn before the call that is being served, so that it
 * waits for no more than the text under way when it is the only other one.
 */
export class FairQueue<Call extends TextCall> {
  readonly #places: Place<Call>[] = [];
  #served: Place<Call> | undefined;
  #length = 0;

  /** Texts that wait. */
  get length(): number {
    return this.#length;
  }

  add(call: Call): void {
    if (call.texts.length === 0) return;
    const behind = this.#served !== undefined && this.#places.at(-1) === this.#served ? 1 : 0;
    this.#places.splice(this.#places.length - behind, 0, { call, next: 0 });
    this.#length += call.texts.length;
  }

  /** The texts whose turn it is, in order; none when nothing waits. */
  take({ texts, characters }: TurnLimits): WaitingText<Call>[] {
    const taken: WaitingText<Call>[] = [];
    let left = characters;
    for (let place = this.#places[0]; place && taken.length < texts; place = this.#places[0]) {
      const text = place.call.texts[place.next] as string;
      left -= text.length;
      if (taken.length > 0 && left < 0) break;
      taken.push({ call: place.call, index: place.next, text });
      this.#turn(place);
    }
    return taken;
  }

  /** Forgets what waits of a call. */
  drop(call: Call): void {
    const at = this.#places.findIndex((place) => place.call === call);
    const [place] = at < 0 ? [] : this.#places.splice(at, 1);
    if (place) this.#length -= call.texts.length - place.next;
  }

  #turn(place: Place<Call>): void {
    this.#places.shift();
    place.next += 1;
    this.#length -= 1;
    this.#served = place;
    if (place.next < place.call.texts.length) this.#places.push(place);
  }
}
