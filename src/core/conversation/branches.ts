/** What the model asks of a try at an answer. */
interface Try {
  readonly id: string;
}

/** What the model asks of a turn, and fills in. */
interface BranchTurn<A extends Try> {
  readonly id: string;
  /** The question it follows, as it was written down. */
  readonly parent: string | null;
  readonly answers: A[];
  shown?: A | undefined;
}

/**
 * The questions of a conversation as a tree, and the one way through it that is shown. A question follows a try at the
 * answer before it: those that follow the same try are siblings, of which one is shown. Nothing is ever taken out.
 */
export interface Branches<A extends Try, T extends BranchTurn<A>> {
  /** Adds a question and shows it. `after` is the try it follows; without it, the one that is shown. */
  addQuestion(turn: T, after: string | undefined): void;
  /** Adds a try at the answer of a question and shows it. */
  addTry(turnId: string, answer: A): void;
  /** Shows the question, or the try at its answer, with what was last seen behind it. What is not known changes nothing. */
  show(turnId: string, tryId: string | undefined): void;
  /** What is shown, from the first question on. */
  path(): readonly T[];
  /** The questions in the place of this one, it included, oldest first. */
  siblings(turnId: string): readonly T[];
  turn(turnId: string): T | undefined;
}

interface Node<A extends Try, T extends BranchTurn<A>> {
  readonly turn: T;
  readonly above: Node<A, T> | undefined;
  /** The try of `above` it follows; `undefined`: there was none that is known. */
  readonly after: A | undefined;
  readonly below: Node<A, T>[];
  /** Rises with every time it was asked or gone to: of siblings the highest is shown. */
  seen: number;
}

export function createBranches<A extends Try, T extends BranchTurn<A>>(): Branches<A, T> {
  const nodes = new Map<string, Node<A, T>>();
  // What was asked first, or follows a question whose line was lost.
  const roots: Node<A, T>[] = [];
  /** The last turn of the way that is shown. */
  let leaf: Node<A, T> | undefined;
  let clock = 0;

  /** Makes every choice on the way to `node` lead there, and goes on to what was last seen behind it. */
  const goTo = (node: Node<A, T>): void => {
    clock++;
    for (let at: Node<A, T> | undefined = node; at; at = at.above) {
      at.seen = clock;
      if (at.above) at.above.turn.shown = at.after ?? at.above.turn.answers[0];
    }
    leaf = node;
    for (let next = lastSeen(node); next; next = lastSeen(next)) leaf = next;
  };

  return {
    addQuestion(turn, after) {
      if (nodes.has(turn.id)) return;
      // A parent is known before what follows it: there are no circles.
      const above = nodes.get(turn.parent ?? '');
      const followed = above?.turn.answers.find(({ id }) => id === after) ?? above?.turn.shown;
      const node: Node<A, T> = { turn, above, after: followed, below: [], seen: 0 };
      nodes.set(turn.id, node);
      (above?.below ?? roots).push(node);
      if (above && above === leaf && above.turn.shown === followed) {
        node.seen = ++clock;
        leaf = node;
      } else goTo(node);
    },
    addTry(turnId, answer) {
      const node = nodes.get(turnId);
      if (!node) return;
      node.turn.answers.push(answer);
      node.turn.shown = answer;
      if (node !== leaf) goTo(node);
    },
    show(turnId, tryId) {
      const node = nodes.get(turnId);
      if (!node) return;
      const wanted = node.turn.answers.find(({ id }) => id === tryId);
      if (tryId !== undefined && !wanted) return;
      if (wanted) node.turn.shown = wanted;
      goTo(node);
    },
    path() {
      const path: T[] = [];
      for (let node = leaf; node; node = node.above) path.push(node.turn);
      return path.reverse();
    },
    siblings: (turnId) => besides(nodes.get(turnId), roots).map(({ turn }) => turn),
    turn: (turnId) => nodes.get(turnId)?.turn,
  };
}

function besides<A extends Try, T extends BranchTurn<A>>(
  node: Node<A, T> | undefined,
  roots: readonly Node<A, T>[],
): readonly Node<A, T>[] {
  if (!node?.above) return node ? roots : [];
  return node.above.below.filter((other) => tryBefore(other) === tryBefore(node));
}

/** What was asked while no try was known stands behind the first one, once there is one. */
function tryBefore<A extends Try, T extends BranchTurn<A>>({ above, after }: Node<A, T>): A | undefined {
  return after ?? above?.turn.answers[0];
}

function lastSeen<A extends Try, T extends BranchTurn<A>>({ turn, below }: Node<A, T>): Node<A, T> | undefined {
  return below
    .filter((node) => tryBefore(node) === turn.shown)
    .reduce<Node<A, T> | undefined>((best, node) => (best && best.seen > node.seen ? best : node), undefined);
}
