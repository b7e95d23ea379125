// boardgame.io's own server with one game: SIZE x SIZE cells, SIZE in a line win.  node server.cjs PORT memory|flatfile DIR
const { Server, FlatFile, Origins } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const SIZE = 10;
const [port, store, dir] = process.argv.slice(2);

const won = (cells, at) => {
  const mine = cells[at];
  const [row, column] = [Math.floor(at / SIZE), at % SIZE];
  const full = (index) => Array.from({ length: SIZE }, (_, n) => cells[index(n)]).every((cell) => cell === mine);
  return (
    full((n) => row * SIZE + n) || full((n) => n * SIZE + column) || full((n) => n * SIZE + n) || full((n) => n * SIZE + SIZE - 1 - n)
  );
};

const game = {
  name: "grid",
  setup: () => ({ cells: Array(SIZE * SIZE).fill(null), last: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, at) => {
      if (!Number.isInteger(at) || at < 0 || at >= SIZE * SIZE || G.cells[at] !== null) return INVALID_MOVE;
      G.cells[at] = playerID;
      G.last = at;
    },
  },
  endIf: ({ G, ctx }) => {
    if (G.cells[G.last] !== null && won(G.cells, G.last)) return { winner: ctx.currentPlayer };
    return G.cells.every((cell) => cell !== null) ? { draw: true } : undefined;
  },
};

const options = { games: [game], origins: [Origins.LOCALHOST] };
if (store === "flatfile") options.db = new FlatFile({ dir });
Server(options).run(Number(port), () => console.log("ready"));
