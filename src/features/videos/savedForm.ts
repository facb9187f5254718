import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import '../../core/api/jitless';
import * as z from 'zod/mini';
import { emptyVideoForm } from '../../protocol/videoForm';
import { videoForm, type VideoForm } from '../../protocol/videos';

const key = 'videos.form';
const keptSchema = z.object({ id: z.string(), form: videoForm });

/** The form as last edited in this workspace. */
export interface SavedForm {
  readonly form: VideoForm;
  /** Changes with each `fill`. */
  readonly id: string;
  /** Saves the form as edited on the page. */
  keep(form: VideoForm): void;
  /** Replaces the form on the page. */
  fill(form: VideoForm): void;
}

export function createSavedForm(state: vscode.Memento, onTrouble: (error: unknown) => void): SavedForm {
  const read = keptSchema.safeParse(state.get<unknown>(key));
  let kept: { readonly id: string; readonly form: VideoForm } = read.success
    ? read.data
    : { id: randomUUID(), form: emptyVideoForm };
  const write = (next: typeof kept) => {
    kept = next;
    state.update(key, kept).then(undefined, onTrouble);
  };
  return {
    get form() {
      return kept.form;
    },
    get id() {
      return kept.id;
    },
    keep: (form) => write({ id: kept.id, form }),
    fill: (form) => write({ id: randomUUID(), form }),
  };
}
