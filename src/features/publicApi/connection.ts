import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { abortable } from '../../core/agentTools/abortable';
import type { Access, Caller } from './access';
import { DeskError, toDeskError } from './apiError';

/** Runs an extension's calls for as long as it has access. Errors leave it as a `DeskError` or the caller's own abort reason. */
export interface Connection {
  readonly caller: Caller;
  readonly isEnded: boolean;
  readonly onDidEnd: vscode.Event<void>;
  /** `work` receives a signal that the caller and the end of the access abort; once aborted, the work is no longer awaited. */
  run<T>(signal: unknown, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** The same for results that arrive in parts. */
  stream<T>(signal: unknown, work: (signal: AbortSignal) => AsyncIterable<T>): AsyncIterable<T>;
  end(): void;
}

/** `onCall` is called at the start of each call. */
export function createConnection(caller: Caller, access: Access, onCall: () => void): Connection {
  const ending = new AbortController();
  const ended = new vscode.EventEmitter<void>();
  const end = () => {
    if (ending.signal.aborted) return;
    ending.abort(new DeskError('ended', l10n.t('“{0}” may not use Inference Desk any more.', caller.name)));
    ended.fire();
    listening.dispose();
    ended.dispose();
  };
  const look = () => {
    const isThere = vscode.extensions.getExtension(caller.id) !== undefined;
    if (!isThere || access.decision(caller.id)?.isAllowed !== true) end();
  };
  const listening = vscode.Disposable.from(access.onDidChange(look), vscode.extensions.onDidChange(look));
  const begin = (signal: unknown): AbortSignal => {
    if (signal !== undefined && !(signal instanceof AbortSignal)) {
      throw new DeskError('invalidInput', l10n.t('signal is no AbortSignal.'), { parameter: 'signal' });
    }
    ending.signal.throwIfAborted();
    signal?.throwIfAborted();
    onCall();
    return signal ? AbortSignal.any([ending.signal, signal]) : ending.signal;
  };
  const told = (error: unknown, stopping: AbortSignal | undefined): unknown =>
    stopping?.aborted ? stopping.reason : toDeskError(error);

  return {
    caller,
    get isEnded() {
      return ending.signal.aborted;
    },
    onDidEnd: ended.event,
    async run(signal, work) {
      const stopping = begin(signal);
      try {
        return await abortable(work(stopping), stopping);
      } catch (error) {
        throw told(error, stopping);
      }
    },
    async *stream(signal, work) {
      const stopping = begin(signal);
      try {
        for await (const piece of work(stopping)) {
          yield piece;
          stopping.throwIfAborted();
        }
      } catch (error) {
        throw told(error, stopping);
      }
    },
    end,
  };
}
