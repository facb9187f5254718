import type * as vscode from 'vscode';
import type { Disposable } from '../../platform/disposables';
import type { Account, Profiles } from '../account/account';
import { createLastModel } from './lastModel';

interface SavedForm {
  readonly form: { readonly model: string };
  /** The ID of the account whose model the form has. Up to version 0.1 it was absent. */
  readonly account?: string | undefined;
}

interface FormMemory<Saved> {
  /** Where the form is in the workspace's state, and the name of its page's last model. */
  readonly key: string;
  readonly modelKey: string;
  /** Returns what is stored; `undefined` if it isn't valid. */
  read(stored: unknown): Saved | undefined;
  readonly first: Saved;
  /** Returns the form with another model, marked so that the page shows it in place of the typed one. */
  replaceModel(saved: Saved, model: string): Saved;
  /** Called if a change that nobody waits for can't be saved. */
  readonly fail: (error: unknown) => void;
}

/**
 * The form of a page as last edited in this workspace. Another account offers other models, so the form then names the one that was last
 * used there.
 */
export class RememberedForm<Saved extends SavedForm> implements Disposable {
  private saved: Saved;
  /** The ID of the account whose model the form has. */
  private owner: string;
  private readonly account: Account;
  private readonly lastModel;
  private readonly following: Disposable;

  constructor(
    private readonly state: vscode.Memento,
    { account, profiles }: { readonly account: Account; readonly profiles: Profiles },
    private readonly memory: FormMemory<Saved>,
  ) {
    this.account = account;
    const stored = memory.read(state.get(memory.key));
    this.saved = stored ?? memory.first;
    this.owner = stored?.account ?? account.current.id;
    this.lastModel = createLastModel(state, memory.modelKey, account);
    this.following = profiles.onDidChange(() => this.followAccount());
    this.followAccount();
    // A form of an earlier version is of the account that is active now.
    if (this.saved.form.model !== '' && this.lastModel.get() === undefined) this.save(this.saved).catch(memory.fail);
  }

  get current(): Saved {
    return this.saved;
  }

  /** Sets the form immediately, and resolves once it is saved. */
  async save(saved: Saved): Promise<void> {
    this.saved = saved;
    const { owner, lastModel } = this;
    const { model } = saved.form;
    // Once another account is active, its model is about to be shown, and this one is not its own.
    const isOwn = owner === this.account.current.id && model !== '' && model !== lastModel.get();
    await Promise.all([
      this.state.update(this.memory.key, { ...saved, account: owner }),
      isOwn ? lastModel.set(model) : undefined,
    ]);
  }

  dispose(): void {
    this.following.dispose();
  }

  private followAccount(): void {
    const { id } = this.account.current;
    if (id === this.owner) return;
    this.owner = id;
    const model = this.lastModel.get() ?? '';
    const next = model === this.saved.form.model ? this.saved : this.memory.replaceModel(this.saved, model);
    this.save(next).catch(this.memory.fail);
  }
}
