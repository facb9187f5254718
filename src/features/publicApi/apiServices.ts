import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { EventEmitter } from 'vscode';
import { abortable } from '../../core/async/abortable';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import {
  createAccess,
  askAccess,
  findCaller,
  manageAccess,
  type Decision,
  type AskAccess,
  type Caller,
  type CallCount,
  type Access,
} from './access';
import { PublicApiError, toPublicApiError } from './apiError';
import type { InferenceDesk, DeskModel } from './logic/inferenceDesk';
import { foreign } from '../../core/text/foreignText';
import { chooseModel, jobsOf } from '../../core/catalogue/jobs';
import { modelJobs, type ModelJob } from '../../core/catalogue/model';
import { createUsageAsking } from '../../services/usage/confirmUsage';
import { createOpenAccount, type CallAccount } from './calls/account';
import { checkBatchText } from './calls/checkBatchText';
import { complete } from './logic/complete';
import { createGenerateImage } from './calls/generateImage';
import { readBatchText, readComplete, readImage, readRerank } from './calls/requests';
import { rerank } from './calls/rerank';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import { commandTitle } from '../../platform/contributions';

/** Grants other extensions access to the account. */
export class ApiServices implements Disposable {
  private readonly store = new DisposableStore();
  private readonly access;
  private readonly offer;
  private readonly decisions = new Map<string, Promise<Decision>>();
  private readonly calls = new Map<string, CallCount>();
  /** One per caller, by its id in lower case, until its access ends. */
  private readonly desks = new Map<string, { readonly connection: Connection; readonly desk: InferenceDesk }>();

  /** `ask` is how to ask the user. */
  constructor(
    private readonly services: Services,
    private readonly ask: AskAccess = askAccess,
  ) {
    this.access = this.store.add(createAccess(services.settings));
    this.offer = createOffer(services);
  }

  async connect(extensionId: unknown, signal?: unknown): Promise<InferenceDesk> {
    if (signal !== undefined && !(signal instanceof AbortSignal)) {
      throw new PublicApiError('invalidInput', l10n.t('signal must be an AbortSignal.'), { parameter: 'signal' });
    }
    signal?.throwIfAborted();
    const caller = this.callerOf(extensionId);
    const decision = this.access.decision(caller.id) ?? (await this.askOnce(caller, signal));
    if (!decision.isAllowed) throw denied(caller);
    return this.deskOf(caller);
  }

  /** Shows which extensions asked, and lets the user change their answers. */
  manage(): Promise<void> {
    return manageAccess(this.access, (id) => this.calls.get(id.toLowerCase()), this.ownId);
  }

  dispose(): void {
    for (const { connection } of this.desks.values()) connection.end();
    this.store.dispose();
  }

  private get ownId(): string {
    return this.services.context.extension.id;
  }

  private callerOf(extensionId: unknown): Caller {
    const caller = typeof extensionId === 'string' ? findCaller(extensionId, this.ownId) : undefined;
    if (caller) return caller;
    throw new PublicApiError(
      'unknownExtension',
      l10n.t('Unknown extension "{0}". Pass your own extension ID (context.extension.id).', String(extensionId)),
    );
  }

  private deskOf(caller: Caller): InferenceDesk {
    const key = caller.id.toLowerCase();
    const known = this.desks.get(key);
    if (known) return known.desk;
    const connection = createConnection(caller, this.access, () => this.count(caller.id));
    connection.onDidEnd(() => this.desks.delete(key));
    const desk = this.offer(connection);
    this.desks.set(key, { connection, desk });
    return desk;
  }

  /** Concurrent calls share one question. */
  private askOnce(caller: Caller, signal: AbortSignal | undefined): Promise<Decision> {
    const key = caller.id.toLowerCase();
    const decision = this.decisions.get(key) ?? this.askNow(caller).finally(() => this.decisions.delete(key));
    this.decisions.set(key, decision);
    return signal ? abortable(decision, signal) : decision;
  }

  private async askNow(caller: Caller): Promise<Decision> {
    // No answer means no for now, so that the question does not come back every time.
    const answer = (await this.ask(caller)) ?? { isAllowed: false, isForGood: false };
    try {
      await this.access.decide(caller.id, answer);
      return answer;
    } catch (error) {
      // If the settings cannot be written, for example because their file has an error, the answer holds in this window.
      void this.services.report(error);
      const here = { ...answer, isForGood: false };
      await this.access.decide(caller.id, here);
      return here;
    }
  }

  private count(extensionId: string): void {
    const key = extensionId.toLowerCase();
    this.calls.set(key, { calls: (this.calls.get(key)?.calls ?? 0) + 1, lastAt: Date.now() });
  }
}

function denied({ name }: Caller): PublicApiError {
  return new PublicApiError(
    'denied',
    l10n.t(
      'Access denied for "{0}". To change this, run "{1}".',
      foreign(name),
      commandTitle('inferenceDesk.manageExtensionAccess'),
    ),
  );
}

/** Creates the API object of an extension for its connection. */
type Offer = (connection: Connection) => InferenceDesk;

function createOffer(services: Services): Offer {
  const { context, activity, models } = services;
  const open = createOpenAccount(services);
  const generateImage = createGenerateImage(services);
  const usageAsking = createUsageAsking(context.globalState);

  return (connection) => {
    const { caller } = connection;
    const account = (job: ModelJob, model: string | undefined, signal: AbortSignal): Promise<CallAccount> =>
      abortable(open({ job, model }), signal);
    /** Shows the work in the status bar; afterwards the balance is refreshed. */
    const paid = (words: string) => activity.start(words, { paid: true });
    const changes = watchModels(models);
    connection.onDidEnd(() => changes.dispose());

    return Object.freeze<InferenceDesk>({
      extensionId: caller.id,
      get isEnded() {
        return connection.isEnded;
      },
      onDidEnd: connection.onDidEnd,
      onDidChangeModels: changes.event,
      models: (signal) => connection.run(signal, () => listModels(services)),
      rerank: (request, signal) =>
        connection.run(signal, async (stopping) => {
          const read = readRerank(request);
          const opened = await account('rerank', read.model, stopping);
          const work = paid(l10n.t('Ranking for {0}', caller.name));
          return rerank(read, opened, stopping).finally(() => work.dispose());
        }),
      complete(request, signal) {
        const read = readComplete(request);
        return connection.stream(signal, async function* (stopping) {
          const opened = await account('completion', read.model, stopping);
          const work = paid(l10n.t('Generating a completion for {0}', caller.name));
          try {
            yield* complete(read, { ...opened, usageAsking }, stopping);
          } finally {
            work.dispose();
          }
        });
      },
      generateImage: (request, signal) =>
        connection.run(signal, async (stopping) => {
          const read = readImage(request);
          return generateImage(read, await account('image', read.model, stopping), stopping);
        }),
      checkBatchText: (text, signal) =>
        connection.run(signal, (stopping) => checkBatchText(readBatchText(text), services, stopping)),
    });
  };
}

/** Fires when the models have changed as far as other extensions can see. */
function watchModels(models: Services['models']) {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const now = () => JSON.stringify(deskModels(models.state));
  let known = now();
  store.add(
    models.onDidChange(() => {
      const before = known;
      known = now();
      if (known !== before) changed.fire();
    }),
  );
  return { event: changed.event, dispose: () => store.dispose() };
}

/** Throws if no account is signed in, or if the list was never loaded and cannot be. */
async function listModels({ connections, models }: Services): Promise<readonly DeskModel[]> {
  await connections.client();
  const state = await models.ensureFresh();
  if (state.models.length === 0 && state.error !== undefined) throw state.error;
  return deskModels(state);
}

function deskModels(state: CatalogueState): readonly DeskModel[] {
  const defaults = modelJobs.map((job) => ({ job, id: chooseModel(job, state) }));
  return state.models.map((model) => {
    const { id, contextLength, maxOutputTokens } = model;
    return {
      id,
      jobs: jobsOf(model),
      defaultFor: defaults.flatMap((one) => (one.id === id ? [one.job] : [])),
      ...(contextLength !== undefined && { contextLength }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    };
  });
}

/** Runs an extension's calls for as long as it has access. Errors leave it as a `DeskError` or the caller's own abort reason. */
interface Connection {
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
function createConnection(caller: Caller, access: Access, onCall: () => void): Connection {
  const ending = new AbortController();
  const ended = new vscode.EventEmitter<void>();
  const end = () => {
    if (ending.signal.aborted) return;
    ending.abort(new PublicApiError('ended', l10n.t('Access revoked for "{0}".', caller.name)));
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
      throw new PublicApiError('invalidInput', l10n.t('signal must be an AbortSignal.'), { parameter: 'signal' });
    }
    ending.signal.throwIfAborted();
    signal?.throwIfAborted();
    onCall();
    return signal ? AbortSignal.any([ending.signal, signal]) : ending.signal;
  };
  const toReported = (error: unknown, stopping: AbortSignal | undefined): unknown =>
    stopping?.aborted ? stopping.reason : toPublicApiError(error);

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
        throw toReported(error, stopping);
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
        throw toReported(error, stopping);
      }
    },
    end,
  };
}
