/** One of possibly several answers to a question. */
interface Try {
  readonly id: string;
}

/** A question with its answers, which the tree adds. */
interface BranchTurn<A extends Try> {
  readonly id: string;
  /** The question it follows, as recorded. */
  readonly parent: string | null;
  readonly answers: A[];
  shown?: A | undefined;
}

/**
 * The questions of a conversation as a tree, and the one path through it that is shown. A question follows one answer of its parent:
 * questions that follow the same answer are siblings, of which one is shown. Nothing is ever removed.
 */
export interface Branches<A extends Try, T extends BranchTurn<A>> {
  /** Adds a question and shows it. `after` is the answer it follows; defaults to the one shown. */
  addQuestion(turn: T, after: string | undefined): void;
  /** Adds an answer to a question and shows it. */
  addTry(turnId: string, answer: A): void;
  /** Shows a question, or one of its answers, with its most recently shown continuation. Ignores unknown ids. */
  show(turnId: string, tryId: string | undefined): void;
  /** Returns the turns shown, from the first question on. */
  path(): readonly T[];
  /** Returns this question and its siblings, oldest first. */
  siblings(turnId: string): readonly T[];
  turn(turnId: string): T | undefined;
}

interface Node<A extends Try, T extends BranchTurn<A>> {
  readonly turn: T;
  readonly above: Node<A, T> | undefined;
  /** The answer of `above` it follows, or `undefined` if none was known. */
  readonly after: A | undefined;
  readonly below: Node<A, T>[];
  /** Increases whenever the question is asked or shown. Among siblings, the highest is shown. */
  seen: number;
}

export function createBranches<A extends Try, T extends BranchTurn<A>>(): Branches<A, T> {
  const nodes = new Map<string, Node<A, T>>();
  // First questions, and those whose parent's line was lost.
  const roots: Node<A, T>[] = [];
  /** The last turn of the path shown. */
  let leaf: Node<A, T> | undefined;
  let clock = 0;

  /** Switches every choice on the path so that it leads to `node`, and extends the path by what was last shown after it. */
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
      // A parent must be known before what follows it, so there are no cycles.
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
      const requested = node.turn.answers.find(({ id }) => id === tryId);
      if (tryId !== undefined && !requested) return;
      if (requested) node.turn.shown = requested;
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

/** A question asked before any answer was known belongs to the first answer, once there is one. */
function tryBefore<A extends Try, T extends BranchTurn<A>>({ above, after }: Node<A, T>): A | undefined {
  return after ?? above?.turn.answers[0];
}

function lastSeen<A extends Try, T extends BranchTurn<A>>({ turn, below }: Node<A, T>): Node<A, T> | undefined {
  return below
    .filter((node) => tryBefore(node) === turn.shown)
    .reduce<Node<A, T> | undefined>((best, node) => (best && best.seen > node.seen ? best : node), undefined);
}
