import type { LineProblem } from '../problem';
import type { JsonNode } from '../scan/jsonTree';
import type { TextEdit } from './textEdits';

/** The file around a line, as far as a fix needs it. */
export interface FileNames {
  /** An id no other request has, like this one; it is taken from then on. */
  readonly freshId: (like: string) => string;
  /** The model most requests ask. */
  readonly model: string | undefined;
}

/** A problem that is to be mended, in its line. */
export interface Target {
  readonly text: string;
  readonly problem: LineProblem;
  /** The line as JSON; `undefined` where it is none. */
  readonly root: JsonNode | undefined;
  readonly file: FileNames;
}

/** A change of one line that mends a problem in it. */
export interface QuickFix {
  /** What it does, for a menu. */
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** The line goes, with its end. */
  readonly removesLine?: true;
}

/** A way to mend problems of some kinds. */
export interface FixStrategy {
  /** Best first; none where the problem is not one that this way mends. */
  readonly mends: (target: Target) => Iterable<QuickFix>;
  /** What it does to all problems of its kinds. Without it, each is mended by itself. */
  readonly allTitle?: () => string;
  /** It changes nothing that a request says, so it may be done whenever a file is saved. */
  readonly isSafe?: true;
  /** It takes something away, or guesses: a person should look at it first. */
  readonly isChoice?: true;
  /** What was not looked into before is, then: problems may come to light. */
  readonly reveals?: true;
}
