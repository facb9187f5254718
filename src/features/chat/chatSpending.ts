import type { Client } from '../../core/api/client';
import type { MessageEvent } from '../../core/api/messages/messageEvents';
import { budgetState } from '../../core/usage/usage';
import type { TokenBudget, Usage } from '../../core/usage/usage';
import { createUsageMeter } from '../../core/usage/usageMeter';
import type { UsageMeter } from '../../core/usage/usageMeter';
import type { Spent } from '../../protocol/chat';
import type { UsageLedger } from '../../core/usage/usageLedger';

export interface ChatSpendingOptions {
  readonly ledger: UsageLedger;
  readonly profileId: () => string | undefined;
  readonly budget: () => TokenBudget;
  readonly client: () => Promise<{ readonly messages: Pick<Client['messages'], 'stream'> }>;
  /** The error for a used-up daily budget. */
  readonly usedUp: (spent: Usage, hard: number) => Error;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Counts the chat's daily usage of the active profile, and stops sending once its budget is used up. */
export class ChatSpending {
  constructor(private readonly options: ChatSpendingOptions) {}

  /** Throws if the hard limit is reached. */
  async check(): Promise<void> {
    const { budget, usedUp } = this.options;
    const today = await this.today();
    if (budgetState(today, budget()) === 'hard') throw usedUp(today, budget().hard);
  }

  /** Returns a client that counts usage. Throws if the budget is used up. */
  async client(): Promise<{ readonly messages: Pick<Client['messages'], 'stream'> }> {
    await this.check();
    const profileId = this.options.profileId();
    const { messages } = await this.options.client();
    if (profileId === undefined) return { messages };
    return {
      messages: {
        stream: (request, signal) =>
          counted(messages.stream(request, signal), createUsageMeter(request), async (usage) => {
            const { ledger, now } = this.options;
            await ledger.add(profileId, { at: now(), model: request.model, ...usage });
          }),
      },
    };
  }

  async of(conversation: { readonly id: string; readonly usage: Usage }): Promise<Spent> {
    const budget = this.options.budget();
    const today = await this.today();
    return {
      conversationId: conversation.id,
      conversation: conversation.usage,
      today,
      budget,
      state: budgetState(today, budget),
    };
  }

  private async today(): Promise<Usage> {
    const { ledger, profileId, now } = this.options;
    return ledger.total(profileId() ?? '', now());
  }
}

/** Passes the events on and reports the usage of the answer, even if it was abandoned or broke off. */
async function* counted(
  events: AsyncIterable<MessageEvent>,
  meter: UsageMeter,
  tell: (usage: Usage) => Promise<void>,
): AsyncGenerator<MessageEvent> {
  try {
    for await (const event of events) {
      meter.add(event);
      yield event;
    }
  } catch (error) {
    meter.failed(error);
    throw error;
  } finally {
    const { inputTokens, outputTokens, inputIsEstimate, outputIsEstimate } = meter.read() ?? {};
    if (inputTokens !== undefined && outputTokens !== undefined) {
      const isEstimate = inputIsEstimate ?? outputIsEstimate;
      await tell({ inputTokens, outputTokens, ...(isEstimate && { isEstimate }) });
    }
  }
}
