import * as vscode from 'vscode';
import { noUsage } from '../../core/usage/usage';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { ghostSubject } from './chosenModel';
import type { GhostState } from './statusWords';
import type { Suggester } from './suggester';
import { ghostSelector } from './switches';
import type { GhostSwitches } from './switches';
import type { GhostTextErrors } from './ghostTextErrors';
import { createGhostStatus } from './statusItem';

export interface GhostStateParts {
  readonly services: Services;
  readonly switches: GhostSwitches;
  readonly troubles: GhostTextErrors;
  readonly suggester: Suggester;
  /** The parts of the state that are not known to this module. */
  readonly now: () => Pick<GhostState, 'mode' | 'isAsking' | 'offered' | 'accepted'>;
}

/** Returns the state of ghost text in a document, or without one. */
export type ReadGhostState = (document: vscode.TextDocument | undefined) => Promise<GhostState>;

export function createGhostStateReader(parts: GhostStateParts): ReadGhostState {
  const { services, switches, troubles, suggester, now } = parts;
  return async (document) => {
    const isSignedIn = (await services.models.ready()).session !== 'signedOut';
    const subject = isSignedIn ? await ghostSubject(services, { asksService: false }) : undefined;
    const { last: error, until } = troubles;
    return {
      ...now(),
      obstacle: document && switches.obstacle(document),
      isSignedIn,
      model: subject?.model,
      refusedAt: subject && (await suggester.refusedAt(subject)),
      trouble: error === undefined ? undefined : { error, until },
      used: subject ? await (await services.usage()).today(subject.profile.id, 'ghostText') : noUsage,
    };
  };
}

interface DisplayParts {
  readonly provider: vscode.InlineCompletionItemProvider;
  readonly state: ReadGhostState;
  readonly isBusy: () => boolean;
  readonly onDidChange: vscode.Event<void>;
  readonly log: vscode.LogOutputChannel;
}

/** Registers everything the editor needs while ghost text is on. */
export function showGhostText({ provider, log, ...status }: DisplayParts): Disposable {
  const store = new DisposableStore();
  store.add(vscode.languages.registerInlineCompletionItemProvider([...ghostSelector], provider));
  const onTrouble = (error: unknown) => log.warn(`The state of ghost text is not shown: ${String(error)}`);
  store.add(createGhostStatus({ ...status, onTrouble }));
  return store;
}
