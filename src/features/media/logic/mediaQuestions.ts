import type * as vscode from 'vscode';
import type { InsertForm } from '../../../core/assets/insertForms';
import type { Asset, MediaJob } from '../../../services/media/media';
import type { CopyTarget } from '../insert/insertTarget';
import type { CostText } from '../../../protocol/wire';
import type { Profile } from '../../../services/account/account';

/** A way to reference a file in a text, as offered to the user. */
export interface OfferedForm {
  readonly form: InsertForm;
  /** The text it would insert. */
  readonly text: string;
}

/** Questions to the user. `undefined`, or `false` for a boolean, means canceled. */
export interface MediaQuestions {
  made(made: readonly Asset[]): Promise<Asset | undefined>;
  /** The file was generated at another service than that of the active profile; `fitting` are the profiles of its service. */
  service(
    asset: Asset,
    active: Profile,
    fitting: readonly Profile[],
  ): Promise<{ readonly profile: Profile } | undefined>;
  /** The folder to save several files in. */
  folder(files: readonly string[]): Promise<vscode.Uri | undefined>;
  /** The file to write the details of files to: CSV, or JSON by its name. */
  details(): Promise<vscode.Uri | undefined>;
  target(file: string, suggested: vscode.Uri): Promise<vscode.Uri | undefined>;
  /** Whether to save the recipe as well. `replaces`: a recipe already exists there. */
  withRecipe(file: string, replaces: boolean): Promise<'with' | 'without' | undefined>;
  /** `hasTrash`: the files are moved to the system's trash; otherwise, the deletion can be undone. */
  remove(files: readonly string[], hasTrash: boolean): Promise<boolean>;
  /** The files were deleted: whether to restore them. Resolves once the notification is closed. */
  undoRemove(files: readonly string[]): Promise<boolean>;
  /** No program here can open the file: whether to save it elsewhere. */
  saveInstead(): Promise<boolean>;
  /** The format to insert, and where to copy the file. Without `target` it is referenced in place. `target`: the default. */
  insert(
    fitting: readonly OfferedForm[],
    others: readonly OfferedForm[],
    target: CopyTarget | undefined,
  ): Promise<{ readonly form: InsertForm; readonly target?: CopyTarget | undefined } | undefined>;
  forget(jobs: readonly MediaJob[]): Promise<boolean>;
  /** `price`: of all of them; absent if several accounts pay. */
  retry(jobs: readonly MediaJob[], price: CostText | undefined): Promise<boolean>;
  /** Called before a file's request is sent and charged again. */
  regenerate(asset: Asset, price: CostText): Promise<boolean>;
  fetchLarge(job: MediaJob): Promise<boolean>;
}
