import { vendorWay, type ChatWay } from '../../api/chat/chatWays';
import { siliconFlow } from '../services/batchServices';
import type { BatchRules } from '../services/batchRules';
import type { LineProblem } from '../problem';
import type { JsonNode } from '../scan/jsonTree';
import type { TextEdit } from './lineChange';

/** The information that a fix requires about the rest of the file. */
export interface FileNames {
  /** Returns an unused id similar to `like`, and reserves it. */
  readonly freshId: (like: string) => string;
  /** The model that most requests use. */
  readonly model: string | undefined;
  /** The public service if absent. */
  readonly service?: FileService;
}

/** The service that a file is for. */
export interface FileService {
  readonly rules: BatchRules;
  /** How requests are written for it. */
  readonly way: ChatWay;
}

export const publicService: FileService = { rules: siliconFlow, way: vendorWay };

/** A problem to fix, with its line. */
export interface Target {
  readonly text: string;
  readonly problem: LineProblem;
  /** The line as JSON; `undefined` if it is not valid. */
  readonly root: JsonNode | undefined;
  readonly file: FileNames;
}

/** A change of one line that fixes a problem in it. */
export interface QuickFix {
  /** Its effect, as a menu item. */
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** Removes the line and its line break. */
  readonly removesLine?: true;
}

/** A way to fix problems of certain kinds. */
export interface FixStrategy {
  /** Returns the fixes, best first; none if it does not fix this problem. */
  readonly fixes: (target: Target) => Iterable<QuickFix>;
  /** The title for fixing all problems of its kinds together. Without it, each is fixed separately. */
  readonly allTitle?: () => string;
  /** It does not change the content of a request, so it may run whenever a file is saved. */
  readonly isSafe?: true;
  /** It removes or guesses something, so a user should check it first. */
  readonly isChoice?: true;
  /** It makes parts checkable that were not checked before, so new problems may appear. */
  readonly reveals?: true;
}
