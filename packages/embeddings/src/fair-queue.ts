/** A text that waits for its vector. */
export interface WaitingText<Call extends TextCall> {
  readonly call: Call;
  readonly index: number;
  readonly text: string;
}

/** One call of embed(); its texts are served in order. */
export interface TextCall {
  readonly texts: readonly string[];
}

/** Limits of one turn. The first text is always taken, however long it is. */
export interface TurnLimits {
  readonly texts: number;
  readonly characters: number;
}

/** Most texts of a short call: a question, or a message of a page. */
const SHORT_CALL_TEXTS = 4;

interface Place<Call> {
  readonly call: Call;
  next: number;
}

/**
 * Short and long calls wait in two lanes that take turns. So a question waits for at most one text of a long message, and long
 * messages get half of the turns. Within a lane calls are served round robin, one text each. A new call is served before the
 * current one continues.
 */
export class FairQueue<Call extends TextCall> {
  readonly #short = new Lane<Call>();
  readonly #long = new Lane<Call>();
  #served = this.#long;

  /** Number of waiting texts. */
  get length(): number {
    return this.#short.length + this.#long.length;
  }

  add(call: Call): void {
    if (call.texts.length > 0) this.#laneOf(call).add(call);
  }

  /** The texts of the next turn, in order; empty when nothing waits. */
  take({ texts, characters }: TurnLimits): WaitingText<Call>[] {
    const taken: WaitingText<Call>[] = [];
    let left = characters;
    for (let lane = this.#next(); lane.first && taken.length < texts; lane = this.#next()) {
      left -= lane.first.text.length;
      if (taken.length > 0 && left < 0) break;
      taken.push(lane.first);
      lane.turn();
      this.#served = lane;
    }
    return taken;
  }

  /** Drops the waiting texts of a call. */
  drop(call: Call): void {
    this.#laneOf(call).drop(call);
  }

  #laneOf({ texts }: Call): Lane<Call> {
    return texts.length <= SHORT_CALL_TEXTS ? this.#short : this.#long;
  }

  /** The lane of the next text: the other one, unless it is empty. */
  #next(): Lane<Call> {
    const other = this.#served === this.#short ? this.#long : this.#short;
    return other.length > 0 ? other : this.#served;
  }
}

class Lane<Call extends TextCall> {
  readonly #places: Place<Call>[] = [];
  #served: Place<Call> | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The next text; undefined when nothing waits. */
  get first(): WaitingText<Call> | undefined {
    const [place] = this.#places;
    return place && { call: place.call, index: place.next, text: place.call.texts[place.next] as string };
  }

  add(call: Call): void {
    const behind = this.#served !== undefined && this.#places.at(-1) === this.#served ? 1 : 0;
    this.#places.splice(this.#places.length - behind, 0, { call, next: 0 });
    this.#length += call.texts.length;
  }

  drop(call: Call): void {
    const at = this.#places.findIndex((place) => place.call === call);
    const [place] = at < 0 ? [] : this.#places.splice(at, 1);
    if (place) this.#length -= call.texts.length - place.next;
  }

  /** Moves on after the first text was taken. */
  turn(): void {
    const place = this.#places.shift() as Place<Call>;
    place.next += 1;
    this.#length -= 1;
    this.#served = place;
    if (place.next < place.call.texts.length) this.#places.push(place);
  }
}
