/** What a composer needs of its table. */
export interface Host {
  /** Whether a move can be sent now. */
  may(): boolean;
  /** Whether it is this seat's turn. */
  mine(): boolean;
  /** Whether the board shows how things stand, not an earlier position. */
  live(): boolean;
  over(): boolean;
  /** Whether what the server would tell now is for other eyes than those that look. */
  closed(): boolean;
  play(move: string): void;
  hint(text: string): void;
  notice(text: string): void;
}
