import * as l10n from '@vscode/l10n';
import type { Exchange } from '../api/exchange';
import { isLoopback } from '../profiles/baseUrl';
import { type PublicHost, publicHostOf } from '../profiles/publicHosts';
import { listText } from '../../protocol/formats';
import { type ApiError, isApiError } from '../api/errors';
import { systemCode } from '../network/systemCode';
import { callLine } from './callLine';
import { type ListedCall, isFailed, listCalls } from './listCalls';
import { type Known, type Scrub, createScrub } from './scrub';

/** The raw material of a report; this module decides what of it may be shown. */
export interface ReportSources {
  readonly known: Known;
  /** The display language, as in `vscode.env.language`. */
  readonly language: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** Pairs of label and value. */
  readonly versions: readonly ReportFact[];
  readonly profiles: readonly ReportedProfile[];
  readonly account: { readonly status: string; readonly error?: unknown };
  readonly network: readonly ReportFact[];
  /** Settings that differ from their defaults. */
  readonly settings: readonly { readonly name: string; readonly value: unknown; readonly form: SettingForm }[];
  readonly counts: readonly ReportFact[];
  /** Newest first. */
  readonly errors: readonly { readonly at: number; readonly error: unknown }[];
  /** Newest first. */
  readonly calls: readonly Exchange[];
}

export type ReportFact = readonly [label: string, value: string | boolean];

export interface ReportedProfile {
  readonly baseUrl: string;
  readonly isActive: boolean;
  /** `unneeded`: the service is used without one. */
  readonly key: 'there' | 'missing' | 'unneeded';
}

const maxCalls = 30;

/** Returns the first heading of every report. */
export function reportTitle(): string {
  return l10n.t('Inference Desk: Issue Report');
}

/** Returns the question above the line for describing what happened. */
export function reportQuestion(): string {
  return l10n.t('What did you do, expect, and see?');
}

/** Returns the complete report as Markdown. Contains nothing a user typed, no key, no private URL, and no path. */
export function reportText(sources: ReportSources): string {
  const scrub = createScrub(sources.known);
  const { account, settings, profiles, errors, calls, language } = sources;
  const listed = listCalls(calls);
  const accountFacts = [
    `- ${accountStatus(account.status)}`,
    ...(account.error === undefined ? [] : [`- ${code(scrub(errorFacts(account.error)))}`]),
    ...profiles.map((profile) => `- ${profileText(profile, language)}`),
  ];
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [l10n.t('Description'), [`<!-- ${reportQuestion()} -->`, '']],
    [l10n.t('Versions'), factLines(sources.versions, scrub)],
    [l10n.t('Account'), accountFacts],
    [l10n.t('Network'), factLines(sources.network, scrub)],
    [
      l10n.t('Settings that differ from their defaults'),
      orElse(
        settings.map((setting) => settingLine(setting, scrub)),
        l10n.t('All settings have their default values.'),
      ),
    ],
    [l10n.t('Conversations and jobs on this machine'), factLines(sources.counts, scrub)],
    [
      l10n.t('Recent errors in this window (UTC)'),
      block(
        errors.map(({ at, error }) => `${timeOf(at)} ${scrub(errorFacts(error))}`),
        calls.some(isFailed) ? l10n.t('No further errors') : l10n.t('None'),
      ),
    ],
    [
      l10n.t('Recent requests in this window (UTC), failed requests first'),
      block(
        listed.slice(0, maxCalls).map((one) => reportedCall(one, scrub)),
        l10n.t('None'),
      ),
    ],
  ];
  const introduction = l10n.t(
    "This report hasn't been sent and contains no keys, paths, or text that you entered. Describe the problem and remove anything private.",
  );
  const body = sections.flatMap(([title, lines]) => [`## ${title}`, '', ...lines, '']);
  return [`# ${reportTitle()}`, '', `<!-- ${introduction} -->`, '', ...body].join('\n');
}

/** A version, an operating system's name, a number: nothing beyond a short line of plain characters. */
const factForm = /^[A-Za-z0-9 .,()+:/_-]{1,80}$/;

function factLines(facts: readonly ReportFact[], scrub: Scrub): readonly string[] {
  const valueOf = (value: string | boolean) => {
    if (typeof value === 'boolean') return value ? l10n.t('yes') : l10n.t('no');
    return factForm.test(value) ? scrub(value) : '…';
  };
  return facts.map(([label, value]) => `- ${l10n.t('{0}: {1}', label, valueOf(value))}`);
}

function settingLine({ name, value, form }: ReportSources['settings'][number], scrub: Scrub): string {
  return `- ${l10n.t('{0}: {1}', code(name), settingText(settingFact(value, form), scrub))}`;
}

function reportedCall({ call, repeats }: ListedCall, scrub: Scrub): string {
  const bare = { ...call, origin: '', path: routeOf(call.path), traceId: traceOf(call.traceId) };
  const more = repeats === 0 ? '' : `, ${repeats} more like it before`;
  return `${timeOf(call.at)} ${scrub(callLine(bare))}${more}`;
}

function block(lines: readonly string[], none: string): readonly string[] {
  return lines.length === 0 ? [none] : ['```text', ...lines, '```'];
}

const orElse = (lines: readonly string[], none: string): readonly string[] => (lines.length === 0 ? [none] : lines);

const code = (text: string): string => `\`${text.replaceAll('`', '')}\``;

const timeOf = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19);

/** The class of an address's host; only the public service's hosts are identified by name. */
type HostClass = PublicHost | 'thisMachine' | 'privateNetwork' | 'other' | 'unreadable';

function hostClassOf(baseUrl: string): HostClass {
  const hostname = URL.parse(baseUrl)?.hostname;
  if (hostname === undefined || hostname === '') return 'unreadable';
  if (isLoopback(hostname)) return 'thisMachine';
  return publicHostOf(baseUrl) ?? (isPrivate(hostname) ? 'privateNetwork' : 'other');
}

/** Ranges of RFC 1918 and 4193, and names that no public DNS resolves. */
function isPrivate(hostname: string): boolean {
  return (
    /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(hostname) ||
    /^\[f[cd]/i.test(hostname) ||
    /\.(local|internal|lan|home\.arpa|test)$/.test(hostname) ||
    !/[.:]/.test(hostname)
  );
}

/** How much of a setting's value may be shown. */
export type SettingForm =
  /** A switch, a number, one of `words`, or an object of switches and numbers under names that the default has. */
  | { readonly kind: 'plain'; readonly words?: readonly string[]; readonly default: unknown }
  /** An amount as decimal text. */
  | { readonly kind: 'amount' }
  /** Shows only whether the path is absolute. */
  | { readonly kind: 'path' }
  /** Shows only the number of entries: their names are private. */
  | { readonly kind: 'entries' }
  /** Shown only if it is one of the known models. */
  | { readonly kind: 'model'; readonly known: ReadonlySet<string> };

type SettingFact =
  | { readonly kind: 'shown'; readonly text: string }
  | { readonly kind: 'entries'; readonly count: number }
  | { readonly kind: 'path'; readonly isAbsolute: boolean }
  /** The setting is set; its value is not shown. */
  | { readonly kind: 'hidden' };

const hidden: SettingFact = { kind: 'hidden' };

/** Returns what can be shown of any value, because a settings file can contain anything. */
function settingFact(value: unknown, form: SettingForm): SettingFact {
  switch (form.kind) {
    case 'plain':
      return plainFact(value, form.words ?? [], form.default);
    case 'amount':
      return typeof value === 'string' && /^-?\d{1,12}(\.\d{1,6})?$/.test(value) ? shown(value) : hidden;
    case 'path':
      return typeof value === 'string' ? { kind: 'path', isAbsolute: /^([/\\~]|[a-z]:)/i.test(value.trim()) } : hidden;
    case 'entries':
      return typeof value === 'object' && value !== null
        ? { kind: 'entries', count: Object.keys(value).length }
        : hidden;
    case 'model':
      return typeof value === 'string' && form.known.has(value) ? shown(value) : hidden;
  }
}

function plainFact(value: unknown, words: readonly string[], usual: unknown): SettingFact {
  if (isPlain(value) || (typeof value === 'string' && words.includes(value))) return shown(JSON.stringify(value));
  if (typeof value !== 'object' || value === null || typeof usual !== 'object' || usual === null) return hidden;
  const parts = Object.keys(usual).map((name) => [name, (value as Readonly<Record<string, unknown>>)[name]] as const);
  return shown(JSON.stringify(Object.fromEntries(parts.filter(([, part]) => isPlain(part)))));
}

const isPlain = (value: unknown): boolean => typeof value === 'boolean' || typeof value === 'number';

const shown = (text: string): SettingFact => ({ kind: 'shown', text });

function profileText({ baseUrl, isActive, key }: ReportedProfile, language: string): string {
  const keyTexts = { there: l10n.t('has a key'), missing: l10n.t('no key'), unneeded: l10n.t('no key required') };
  const account = isActive ? l10n.t('Active account') : l10n.t('Account');
  return listText([account, hostText(hostClassOf(baseUrl)), keyTexts[key]], language);
}

function accountStatus(status: string): string {
  switch (status) {
    case 'ready':
      return l10n.t('Signed in. The service reports account information.');
    case 'notOffered':
      return l10n.t("Signed in. The service doesn't report account information.");
    case 'failed':
      return l10n.t("Signed in. Couldn't load account information:");
    case 'signedOut':
      return l10n.t('Signed out.');
    default:
      return l10n.t('Account information not loaded yet.');
  }
}

function hostText(host: HostClass): string {
  switch (host) {
    case 'international':
      return l10n.t('international service');
    case 'china':
      return l10n.t('Chinese service');
    case 'thisMachine':
      return l10n.t('this machine');
    case 'privateNetwork':
      return l10n.t('a private network');
    case 'other':
      return l10n.t('another host');
    case 'unreadable':
      return l10n.t('an invalid URL');
  }
}

function settingText(fact: SettingFact, scrub: Scrub): string {
  switch (fact.kind) {
    case 'shown':
      return code(scrub(fact.text));
    case 'entries':
      return fact.count === 1 ? l10n.t('1 entry') : l10n.t('{0} entries', fact.count);
    case 'path':
      return fact.isAbsolute ? l10n.t('an absolute path') : l10n.t('a path in the workspace');
    case 'hidden':
      return l10n.t('set (value hidden)');
  }
}

/** How many stack locations in the extension's own files are reported per error. */
const maxPlaces = 3;

/**
 * Returns the facts about an error that say where to look, without anything a user typed or any file name: from its message only
 * what the engine itself wrote, from its stack only locations in the extension's files.
 */
function errorFacts(error: unknown): string {
  const code = systemCode(error);
  const parts = [
    isApiError(error) ? error.kind : nameOf(error),
    code !== undefined && codeForm.test(code) ? code : undefined,
    ...(isApiError(error) ? callFacts(error.details) : [engineMessage(error), ...placesIn(error)]),
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** Error codes of the system, Node.js, OpenSSL's verification and the network stack. */
const codeForm =
  /^(E[A-Z]{2,15}|(ERR|UND_ERR|HPE|CERT|CRL|UNABLE|SELF_SIGNED|DEPTH|HOSTNAME|INVALID|PATH)_[A-Z_]{2,60})$/;
const endpointForm = /^(GET|POST|DELETE) (\/.*)$/;
const traceForm = /^[\w-]{4,80}$/;

function* callFacts({ status, phase, hint, endpoint, traceId }: ApiError['details']): Generator<string> {
  const [, method, path] = endpointForm.exec(endpoint ?? '') ?? [];
  if (method !== undefined && path !== undefined) yield `${method} ${routeOf(path)}`;
  if (typeof status === 'number') yield String(status);
  if (phase !== undefined && phases.has(phase)) yield `timer ${phase}`;
  if (hint !== undefined && hints.has(hint)) yield hint;
  const trace = traceOf(traceId);
  if (trace !== undefined) yield `trace ${trace}`;
}

const phases: ReadonlySet<string> = new Set(['connect', 'firstByte', 'idle', 'total']);
const hints: ReadonlySet<string> = new Set([
  'missingVersion',
  'wrongBaseUrl',
  'redirected',
  'malformedKey',
  'noKey',
  'unknownKey',
  'empty',
  'webPage',
]);

/** Returns the trace id by which support finds a call; `undefined` if it has an unexpected form. */
function traceOf(traceId: string | undefined): string | undefined {
  return traceId !== undefined && traceForm.test(traceId) ? traceId : undefined;
}

const names: ReadonlySet<string> = new Set(
  'Error TypeError RangeError ReferenceError SyntaxError URIError AggregateError AbortError UserError StepFailure'.split(
    ' ',
  ),
);

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return names.has(error.name) ? error.name : 'Error';
}

/** V8's messages about programming errors, which contain only the program's own identifiers. */
const engineForms: readonly RegExp[] = [
  /^Cannot (read|set) properties of (undefined|null)/,
  /^[\w$.()]{1,60} is not (a function|defined|iterable|a constructor)$/,
  /^Assignment to constant variable/,
  /^Maximum call stack size exceeded$/,
  /^Invalid (array|string) length$/,
  /^Invalid time value$/,
  /^Array buffer allocation failed$/,
];

function engineMessage(error: unknown): string | undefined {
  if (!(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)) return undefined;
  for (const form of engineForms) {
    const [said] = form.exec(error.message) ?? [];
    if (said !== undefined) return said;
  }
  return undefined;
}

function placesIn(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const { message, stack } = error;
  // The stack begins with the message, whose lines may look like stack frames.
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  return frames
    .map((frame) => /^ {4}at .*[/\\]dist[/\\]((?:chunks[/\\])?[\w-]{1,60}\.js:\d+:\d+)\)?$/.exec(frame)?.[1])
    .filter((place) => place !== undefined)
    .slice(0, maxPlaces);
}

/** The words in the paths of the service's API. Any other path segment may be private. */
const pathWords: ReadonlySet<string> = new Set(
  [
    'demo v1 v2 v3 v4 messages chat completions models user info rerank embeddings images generations video submit status',
    'audio speech transcriptions voice list deletions upload uploads files batches content cancel',
  ].flatMap((line) => line.split(' ')),
);

/** Returns a path without its query, with `…` for ids and for anything before the version but the mark of the demo service. */
function routeOf(path: string): string {
  const [bare = ''] = path.split(/[?#]/);
  return bare
    .split('/')
    .map((segment) => (segment === '' || pathWords.has(segment) ? segment : '…'))
    .join('/');
}
