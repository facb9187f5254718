import { l10n } from 'vscode';
import { abortable } from '../../core/agentTools/abortable';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { createAccess, askAccess, findCaller, manageAccess } from './access';
import type { Decision, AskAccess, Caller, CallCount } from './access';
import { createConnection } from './connection';
import type { Connection } from './connection';
import { DeskError } from './apiError';
import type { InferenceDesk } from './inferenceDesk';
import { createOffer } from './offer';
import { foreign } from '../../core/text/foreignText';

/** Grants other extensions access to the account. */
export class ApiServices implements Disposable {
  private readonly store = new DisposableStore();
  private readonly access;
  private readonly offer;
  private readonly asked = new Map<string, Promise<Decision>>();
  private readonly calls = new Map<string, CallCount>();
  /** One per caller, by its id in lower case, until its access ends. */
  private readonly desks = new Map<string, { readonly connection: Connection; readonly desk: InferenceDesk }>();

  /** `ask` is how to ask the person. */
  constructor(
    private readonly services: Services,
    private readonly ask: AskAccess = askAccess,
  ) {
    this.access = this.store.add(createAccess(services.settings));
    this.offer = createOffer(services);
  }

  async connect(extensionId: unknown, signal?: unknown): Promise<InferenceDesk> {
    if (signal !== undefined && !(signal instanceof AbortSignal)) {
      throw new DeskError('invalidInput', l10n.t('signal is no AbortSignal.'), { parameter: 'signal' });
    }
    signal?.throwIfAborted();
    const caller = this.callerOf(extensionId);
    const decision = this.access.decision(caller.id) ?? (await this.askOnce(caller, signal));
    if (!decision.isAllowed) throw denied(caller);
    return this.deskOf(caller);
  }

  /** Shows which extensions asked, and lets the person change their answers. */
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
    throw new DeskError(
      'unknownExtension',
      l10n.t('There is no extension “{0}”. Give the id of your own: context.extension.id.', String(extensionId)),
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
    const asked = this.asked.get(key) ?? this.askNow(caller).finally(() => this.asked.delete(key));
    this.asked.set(key, asked);
    return signal ? abortable(asked, signal) : asked;
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

function denied({ name }: Caller): DeskError {
  return new DeskError(
    'denied',
    l10n.t(
      'You did not allow “{0}” to use Inference Desk. “Inference Desk: Manage Extension Access” changes that.',
      foreign(name),
    ),
  );
}
