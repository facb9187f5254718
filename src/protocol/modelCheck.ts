import * as z from 'zod/mini';
import { call, returns, type CallsOf } from './call';
import type { WireError, ErrorText } from './wire';

const nothing = z.strictObject({});
const ofRow = z.strictObject({ id: z.string().check(z.maxLength(32)) });

/** One capability. Texts are localized. */
export interface CheckedRow {
  readonly id: string;
  readonly label: string;
  readonly result: 'works' | 'limited' | 'fails' | 'notOffered' | 'notChecked';
  readonly resultText: string;
  readonly evidence: string;
  /** The server option that changes the result. */
  readonly option?: string;
  /** Whether its request and response can be shown. */
  readonly hasRequest: boolean;
}

/** Everything the page shows. Texts are localized. */
export interface ModelCheckView {
  /** Identifies the page to the host after a reload. */
  readonly pageId: string;
  readonly model: string;
  /** The service and its host. */
  readonly place: string;
  readonly stage: 'ready' | 'checking' | 'done';
  /** All rows exist from the start, in order. */
  readonly groups: readonly { readonly label: string; readonly rows: readonly CheckedRow[] }[];
  /** Whether the rows have a column for server options. */
  readonly takesOptions: boolean;
  /** All options for this server in one line. */
  readonly options?: { readonly title: string; readonly detail: string; readonly line: string };
  readonly error?: ErrorText & { readonly actions: WireError['actions'] };
  /** The cost before and during a check, then the outcome. */
  readonly facts: readonly string[];
}

export const modelCheckCalls = {
  'modelCheck/ready': call(nothing, returns<ModelCheckView>()),
  'modelCheck/check': call(nothing),
  'modelCheck/stop': call(nothing),
  /** Opens the request and response of a row. */
  'modelCheck/showRequest': call(ofRow),
  /** Copies the server option of a row. */
  'modelCheck/copyOption': call(ofRow),
  'modelCheck/copyOptions': call(nothing),
  'modelCheck/copyReport': call(nothing),
  /** Runs an action that an error offers. */
  'modelCheck/act': call(z.strictObject({ action: z.string().check(z.maxLength(1000)) })),
  /** Lets the user override what was found. */
  'modelCheck/edit': call(nothing),
};

export interface ModelCheckScreen {
  readonly state: { readonly pageId: string };
  readonly calls: CallsOf<typeof modelCheckCalls>;
  readonly events: { readonly 'modelCheck/changed': ModelCheckView };
}
