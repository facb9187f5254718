import type * as vscode from 'vscode';
import type { InsertForm } from '../../core/assets/insertForms';
import type { Asset, MediaJob } from '../../services/media/media';
import type { CopyTarget } from './insert/insertTarget';
import type { Profile } from '../../services/account/profiles';

/** One way to name a file in a text, as a person chooses it. */
export interface OfferedForm {
  readonly form: InsertForm;
  /** What it would write. */
  readonly text: string;
}

/** What a person is asked. `undefined`, or false where that is what they are asked for: they turned away. */
export interface MediaQuestions {
  made(made: readonly Asset[]): Promise<Asset | undefined>;
  /** It was made at another service than the active profile's; `fitting` are the profiles of that one. */
  service(
    asset: Asset,
    active: Profile,
    fitting: readonly Profile[],
  ): Promise<{ readonly profile: Profile } | undefined>;
  target(file: string, suggested: vscode.Uri): Promise<vscode.Uri | undefined>;
  /** Whether the recipe is to be saved beside; `replaces` says that one is there. */
  withRecipe(file: string, replaces: boolean): Promise<'with' | 'without' | undefined>;
  remove(files: readonly string[]): Promise<boolean>;
  /** They could not be moved to the trash, for what `error` says of the first: whether they are to be deleted. */
  removeForGood(files: readonly string[], error: unknown): Promise<boolean>;
  /** Nothing else can open it from here: whether it is to be saved elsewhere. */
  saveInstead(): Promise<boolean>;
  /** In which form a file is named, and where it is copied to; without `target` it is named where it is. `target`: the usual one. */
  insert(
    fitting: readonly OfferedForm[],
    others: readonly OfferedForm[],
    target: CopyTarget | undefined,
  ): Promise<{ readonly form: InsertForm; readonly target?: CopyTarget | undefined } | undefined>;
  forget(jobs: readonly MediaJob[]): Promise<boolean>;
  retry(jobs: readonly MediaJob[]): Promise<boolean>;
  fetchLarge(job: MediaJob): Promise<boolean>;
}
