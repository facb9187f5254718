import type * as vscode from 'vscode';
import type { InsertForm } from '../../core/assets/insertForms';
import type { Asset, MediaJob } from '../../platform/media';
import type { Profile } from '../../platform/profiles';

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
  remove(file: string): Promise<boolean>;
  /** It could not be moved to the trash: whether it is to be deleted. */
  removeForGood(file: string, error: unknown): Promise<boolean>;
  /** Nothing else can open it from here: whether it is to be saved elsewhere. */
  saveInstead(): Promise<boolean>;
  forms(fitting: readonly OfferedForm[], others: readonly OfferedForm[]): Promise<InsertForm | undefined>;
  alt(proposed: string): Promise<string | undefined>;
  /** Where a file outside the project is to be copied to, as a path below `base`; `stay`: it is named where it is. */
  place(file: string, base: string, folder: string): Promise<{ readonly folder: string } | 'stay' | undefined>;
  forget(job: MediaJob): Promise<boolean>;
  fetchLarge(job: MediaJob): Promise<boolean>;
}
