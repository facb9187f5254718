import * as z from 'zod/mini';
import { call, returns, type CallsOf } from './call';
import type { ErrorText } from './wire';

const nothing = z.strictObject({});
const id = z.string().check(z.maxLength(200));

/** What can be done with a row. The host decides which apply, and asks before anything is lost or paid for. */
const activityActions = [
  'checkNow',
  'pause',
  'resume',
  'stop',
  'cancel',
  'stopParts',
  'continue',
  'retry',
  'retryFailed',
  'fetchAgain',
  'cleanUp',
  'forget',
] as const;
export type ActivityAction = (typeof activityActions)[number];

/** What work cost, as text. */
export interface RowCost {
  /** Empty while nothing is known of it. */
  readonly cost: string;
  readonly costHint: string;
  /** What it was estimated to cost, of work that has ended; absent if that is unknown. */
  readonly estimate?: string;
}

/**
 * A job (a batch, a series of images, or a video), a run of a batch file on this machine (`run`), or other work in progress. Texts are
 * localized.
 */
export interface ActivityRow extends RowCost {
  readonly id: string;
  readonly kind:
    | 'batch'
    | 'image'
    | 'video'
    | 'run'
    | 'eval'
    | 'chat'
    | 'completion'
    | 'search'
    | 'speech'
    | 'tool'
    | 'other';
  readonly outcome: 'active' | 'done' | 'partly' | 'failed' | 'uncertain';
  readonly name: string;
  /** Whether its results or its page can be opened. */
  readonly opens: boolean;
  readonly state: string;
  /** From 0 to 1; absent if unknown. */
  readonly progress?: number;
  /** When it ended, or how much time is left; empty if unknown. */
  readonly time: string;
  readonly actions: readonly { readonly action: ActivityAction; readonly label: string }[];
}

/** One client or model in the table of spend, and the totals. Texts are localized; "–" stands for what does not apply. */
export interface SpendRow {
  readonly id: string;
  readonly label: string;
  readonly requests: string;
  readonly inputTokens: string;
  readonly outputTokens: string;
  readonly charged: string;
  readonly share: string;
  readonly hint: string;
  /** Why it is as much as it is, and what can be done about it. */
  readonly advice?: { readonly text: string; readonly label: string };
}

export interface SpendDay {
  readonly label: string;
  readonly isToday: boolean;
  /** The amounts of the day in words. */
  readonly hint: string;
  /** For each row of the table, in its order, the share of the highest value of the axis. */
  readonly parts: readonly number[];
}

export interface SpendView {
  /** What the bars measure. Tokens if no amounts are known, or if they have different currencies. */
  readonly unit: string;
  /** The labels of the axis, from 0 up. */
  readonly axis: readonly string[];
  readonly days: readonly SpendDay[];
  readonly rows: readonly SpendRow[];
  readonly total: SpendRow;
}

const limitIds = ['spendingCap', 'tokenBudget'] as const;

/** How much of a daily limit is used. */
export interface LimitView {
  readonly id: (typeof limitIds)[number];
  readonly label: string;
  readonly value: string;
  /** From 0 to 1; absent without a limit. */
  readonly used?: number;
  readonly detail: string;
  readonly changeLabel: string;
}

/** The newest come first; more are listed on request. */
export const usualRows = 300;

/** What the user chose to see. `account`: an ID, or '' for all. */
const selection = z.strictObject({
  days: z.literal([1, 7, 30]),
  by: z.enum(['client', 'model']),
  account: id,
  /** How many finished rows are listed; absent: `usualRows`. */
  rows: z.optional(z.number().check(z.positive(), z.maximum(100_000))),
});
export type ActivitySelection = z.infer<typeof selection>;

/** Everything the page shows. Texts are localized. */
export interface ActivityView {
  readonly selection: ActivitySelection;
  /** The active account and its balance. */
  readonly account: string;
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  /** What stopped because a limit was reached. */
  readonly stopped?: { readonly id: LimitView['id']; readonly changeLabel: string; readonly text: string };
  readonly active: readonly ActivityRow[];
  readonly finished: readonly ActivityRow[];
  /** How many older ones are not listed. */
  readonly older: number;
  /** Says that some records can't be read; empty if all can. */
  readonly unreadable: string;
  readonly spend: SpendView;
  readonly limits: readonly LimitView[];
  readonly error?: ErrorText;
}

const ofRow = z.strictObject({ id });

export const activityCalls = {
  'activity/ready': call(selection, returns<ActivityView>()),
  'activity/select': call(selection, returns<ActivityView>()),
  'activity/open': call(ofRow),
  'activity/act': call(z.strictObject({ ids: z.array(id).check(z.maxLength(500)), action: z.enum(activityActions) })),
  /** Opens the setting of a limit. */
  'activity/changeLimit': call(z.strictObject({ id: z.enum(limitIds) })),
  /** Opens the list of tools of VS Code Chat. */
  'activity/chooseTools': call(nothing),
  'activity/export': call(nothing),
};

export interface ActivityScreen {
  readonly state: ActivitySelection;
  readonly calls: CallsOf<typeof activityCalls>;
  readonly events: { readonly 'activity/changed': ActivityView };
}
