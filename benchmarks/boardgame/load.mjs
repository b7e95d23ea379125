// The people of a load: so many tables with two sockets each, in a closed loop, against either server.
//   node load.mjs kletka|boardgame URL TABLES.json THINK_MS SECONDS
// A move is answered when the mover is told that it stands; it is seen when the other player is. Prints one line of JSON.
import { readFileSync } from "node:fs";
import WebSocket from "ws";

const [kind, url, file, think, seconds] = process.argv.slice(2);
const tables = JSON.parse(readFileSync(file, "utf8"));
const THINK = Number(think);
const SIZE = 10;
/** Every second row mirrored in pairs: a full board without a whole line of one sign. */
const sign = (row, column) => (Math.floor(row / 2) + column) % 2;
const cells = Array.from({ length: SIZE * SIZE }, (_, at) => at);
const of = (which) => cells.filter((at) => sign(Math.floor(at / SIZE), at % SIZE) === which);
const [first, second] = [of(0), of(1)];
const ORDER = cells.map((n) => (n % 2 ? second : first)[n >> 1]);
const named = (at) => "abcdefghij"[at % SIZE] + (Math.floor(at / SIZE) + 1);

const answered = [];
const seen = [];
let running = true;
let trouble = 0;
let counted = false;

function note(list, began) {
  if (counted) list.push(performance.now() - began);
}

class Kletka {
  constructor(table, seat, heard) {
    this.table = table;
    this.heard = heard;
    this.answers = new Map();
    this.base = 0;
    this.line = new WebSocket(`${url.replace("http", "ws")}/t/${table.id}/socket`, { perMessageDeflate: false });
    this.ready = new Promise((ready) => {
      this.line.on("open", () =>
        this.line.send(JSON.stringify({ do: "hello", since: table.version, lang: "en", token: table.tokens[seat] })),
      );
      this.line.on("message", (frame) => {
        for (const text of frame.toString().split("\n")) {
          const said = JSON.parse(text);
          if (said.v !== undefined) {
            this.base = said.base;
            heard(said.base);
          }
          if (said.here !== undefined) ready();
          if (said.id !== undefined) this.answers.get(said.id)?.(said.applied !== undefined);
        }
      });
    });
    this.line.on("error", () => trouble++);
    setInterval(() => this.line.readyState === 1 && this.line.send('{"do":"ping"}'), 2500).unref();
  }

  move(number) {
    const id = `m${number}`;
    const done = new Promise((answer) => this.answers.set(id, answer));
    this.line.send(JSON.stringify({ do: "move", id, base: this.base, move: named(ORDER[number]) }));
    return done;
  }
}

class Boardgame {
  constructor(table, seat, heard) {
    this.table = table;
    this.seat = String(seat);
    this.waiting = null;
    this.state = -1;
    this.line = new WebSocket(`${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`, { perMessageDeflate: false });
    const emit = (...event) => this.line.send(`42/grid,${JSON.stringify(event)}`);
    this.emit = emit;
    this.ready = new Promise((ready) => {
      this.line.on("message", (data) => {
        const text = data.toString();
        if (text[0] === "0") this.line.send("40/grid,");
        else if (text === "2") this.line.send("3");
        else if (text.startsWith("40/grid")) emit("sync", table.id, this.seat, table.tokens[seat], 2);
        else if (text.startsWith("42/grid,")) {
          const [what, , ...more] = JSON.parse(text.slice(8));
          if (what === "sync") {
            this.state = more[0].state._stateID;
            ready();
          } else if (what === "update") {
            this.state = more[0]._stateID;
            this.waiting?.(true);
            this.waiting = null;
            heard(this.state);
          }
        }
      });
    });
    this.line.on("error", () => trouble++);
  }

  move(number) {
    const done = new Promise((answer) => (this.waiting = answer));
    const payload = { type: "mark", args: [ORDER[number]], playerID: this.seat, credentials: this.table.tokens[Number(this.seat)] };
    this.emit("update", { type: "MAKE_MOVE", payload }, this.state, this.table.id, this.seat);
    return done;
  }
}

async function play(table) {
  const Player = kind === "kletka" ? Kletka : Boardgame;
  const told = [[], []];
  const players = [0, 1].map((seat) => new Player(table, seat, () => told[seat].splice(0).forEach((hear) => hear())));
  await Promise.all(players.map(({ ready }) => ready));
  await started;
  await new Promise((done) => setTimeout(done, Math.random() * (THINK || 50)));
  for (let number = 0; number < ORDER.length && running; number++) {
    const [mover, other] = [number % 2, 1 - (number % 2)];
    const heard = new Promise((hear) => told[other].push(hear));
    const began = performance.now();
    void heard.then(() => note(seen, began));
    if (!(await players[mover].move(number))) trouble++;
    note(answered, began);
    await heard;
    if (THINK) await new Promise((done) => setTimeout(done, THINK));
  }
  if (running) ended++;
}

let ended = 0;
let begin;
const started = new Promise((done) => (begin = done));
const games = [];
for (let at = 0; at < tables.length; at += 25) {
  games.push(...tables.slice(at, at + 25).map(play));
  await new Promise((done) => setTimeout(done, 100));
}
await new Promise((done) => setTimeout(done, 2000));
begin();
await new Promise((done) => setTimeout(done, 2000));
counted = true;
const from = performance.now();
await new Promise((done) => setTimeout(done, Number(seconds) * 1000));
counted = false;
const took = (performance.now() - from) / 1000;
const moves = answered.length;
running = false;
const at = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(list.length * share)];
console.log(
  JSON.stringify({
    moves,
    per_second: moves / took,
    answered: { p50: at(answered, 0.5), p99: at(answered, 0.99) },
    seen: { p50: at(seen, 0.5), p99: at(seen, 0.99) },
    trouble,
    ended,
  }),
);
process.exit(0);
