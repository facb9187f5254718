import * as z from 'zod/mini';
import { call, returns } from './call';
import { id } from './chatFields';

/** Where a code block of an answer belongs, and what applying it changes there. */
export interface CodeTargetView {
  /** The key of its code: see `codeKey`. Blocks with the same code are in the order of the answer. */
  readonly key: string;
  /** `several`: a diff of several files. `unknown`: the user has to choose. */
  readonly kind: 'file' | 'newFile' | 'several' | 'unknown';
  /** As VS Code shows it. For several files, their number. */
  readonly path: string;
  /** Numbers of lines; absent if the code can't be placed. */
  readonly added?: number;
  readonly removed?: number;
}

/** A file with changes of an answer that the user has neither kept nor undone. */
export interface PendingFileView {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** The block with this key of a turn, the `index`th of those with the same. */
const ofBlock = z.strictObject({
  turnId: id,
  key: z.string().check(z.maxLength(40)),
  index: z.int().check(z.nonnegative()),
});

export const editCalls = {
  /** Returns the targets of the complete code blocks of a turn, in order. */
  'chat/codeTargets': call(z.strictObject({ turnId: id }), returns<{ readonly targets: readonly CodeTargetView[] }>()),
  /** Applies a block to its file, which the user chooses if it isn't known. The changes wait to be kept or undone. */
  'chat/applyCode': call(ofBlock),
  /** Applies all blocks of a turn with a known target as one undo step, or none. */
  'chat/applyAll': call(z.strictObject({ turnId: id })),
  /** Opens the block's file. */
  'chat/openTarget': call(ofBlock),
  'chat/pendingEdits': call(z.strictObject({}), returns<{ readonly files: readonly PendingFileView[] }>()),
  'chat/keepEdits': call(z.strictObject({})),
  'chat/undoEdits': call(z.strictObject({})),
  /** Shows the first of these changes. */
  'chat/showEdits': call(z.strictObject({})),
};
