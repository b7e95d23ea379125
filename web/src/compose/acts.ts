/** What the server says of a draft. */
export interface Answer {
  readonly text: string;
  /** The place of the single mark that the draft holds, if there is one. */
  readonly atom: string;
  /** The acts without places that can be done next. */
  readonly can: readonly string[];
  readonly marks: Record<string, string>;
  readonly refused: readonly { readonly code: string; readonly at: readonly string[]; readonly say: string }[];
  readonly sends: string | null;
  readonly label: string;
  readonly says: readonly string[];
  readonly warning: string;
}

/** A question that came to nothing: `final` where asking again would bring the same. */
export class Unanswered extends Error {
  constructor(
    readonly final: boolean,
    readonly said: string,
  ) {
    super(said);
  }
}

interface Act {
  readonly act: string;
  /** Acts of one stroke stand for each other: each begins where the stroke began. */
  readonly stroke: number | null;
}

const RETRY = 1500;
/** Steps that can be undone. */
const MOST = 200;

/** The text of a draft and the acts that change it: one after the other, each answered by the server. */
export class Acts {
  text = "";
  private waiting: Act[] = [];
  private asked: Act | null = null;
  private past: string[] = [];
  /** The stroke that was answered last, and the text at its beginning. */
  private stroked: { readonly stroke: number; readonly from: string } | null = null;
  /** Answers to what was asked before the draft was begun anew are none. */
  private age = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly post: (text: string, act: string) => Promise<Answer>,
    private readonly told: (answer: Answer) => void,
    /** Told why an answer is missing. */
    private readonly missed: (said: string) => void,
  ) {}

  /** Whether everything was answered. */
  get idle(): boolean {
    return !this.asked && !this.waiting.length;
  }

  get undoable(): boolean {
    return this.past.length > 0;
  }

  /** Begins with a text; there is nothing to undo then. */
  begin(text: string): void {
    this.forget(text);
    this.past = [];
  }

  /** Changes the draft; without an act it is only looked at. */
  do(act: string, stroke: number | null = null): void {
    if (stroke !== null && this.waiting.at(-1)?.stroke === stroke) this.waiting.pop();
    // Whatever changes it is looked at as well.
    if (act === "" && this.waiting.length) return;
    this.waiting.push({ act, stroke });
    void this.next();
  }

  /** Takes a stroke back that isn't finished. */
  unstroke(stroke: number): void {
    this.waiting = this.waiting.filter((one) => one.stroke !== stroke);
    const begun = this.stroked?.stroke === stroke ? this.stroked.from : null;
    if (begun === null && this.asked?.stroke !== stroke) return;
    if (begun !== null && this.past.at(-1) === begun) this.past.pop();
    this.forget(begun ?? this.text);
    this.do("");
  }

  undo(): boolean {
    const before = this.past.pop();
    if (before === undefined) return false;
    this.forget(before);
    this.do("");
    return true;
  }

  private forget(text: string): void {
    clearTimeout(this.timer);
    this.age += 1;
    this.asked = null;
    this.waiting = [];
    this.stroked = null;
    this.text = text;
  }

  private async next(): Promise<void> {
    const act = this.waiting[0];
    if (this.asked || !act) return;
    const { age } = this;
    const follows = act.stroke !== null && this.stroked?.stroke === act.stroke;
    const from = follows && this.stroked ? this.stroked.from : this.text;
    this.waiting.shift();
    this.asked = act;
    try {
      const answer = await this.post(from, act.act);
      if (age !== this.age) return;
      this.stroked = act.stroke === null ? null : { stroke: act.stroke, from };
      if (act.act && answer.text !== from && !(follows && this.past.at(-1) === from)) this.keep(from);
      this.text = answer.text;
      this.asked = null;
      this.told(answer);
    } catch (error) {
      if (age !== this.age) return;
      this.asked = null;
      if (!(error instanceof Unanswered)) throw error;
      this.missed(error.said);
      if (error.final) this.waiting = [];
      else {
        this.waiting.unshift(act);
        this.timer = setTimeout(() => void this.next(), RETRY);
        return;
      }
    }
    void this.next();
  }

  private keep(text: string): void {
    this.past.push(text);
    if (this.past.length > MOST) this.past.shift();
  }
}
