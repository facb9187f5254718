import type { Exchange } from '../api/exchange';
import { callLine } from './callLine';
import { errorFacts, traceOf, routeOf } from './errorFacts';
import { isFailed, listCalls } from './listCalls';
import type { ListedCall } from './listCalls';
import { createScrub } from './scrub';
import type { Known, Scrub } from './scrub';
import { isLoopback } from '../profiles/baseUrl';
import { publicHostOf } from '../profiles/publicHosts';
import type { PublicHost } from '../profiles/publicHosts';

/** The raw material of a report; this module decides what of it may be shown. */
export interface ReportSources {
  readonly known: Known;
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

/** The report's texts in the user's language. */
export interface ReportWords {
  readonly title: string;
  /** Says, before anything else, that nothing was sent and what to do with the report. */
  readonly introduction: string;
  readonly whatHappened: string;
  readonly whatHappenedAsks: string;
  readonly versions: string;
  readonly account: string;
  readonly network: string;
  readonly settings: string;
  readonly counts: string;
  readonly errors: string;
  readonly calls: string;
  readonly yes: string;
  readonly no: string;
  readonly noSettings: string;
  readonly noCalls: string;
  readonly noErrors: string;
  /** Shown if no error was recorded, but calls failed. */
  readonly onlyFailedCalls: string;
  readonly accountStatus: (status: string) => string;
  readonly profile: (profile: Omit<ReportedProfile, 'baseUrl'> & { readonly host: HostClass }) => string;
  readonly setting: (fact: SettingFact) => string;
}

const maxCalls = 30;

/** Returns the whole report as Markdown. Contains nothing a person typed, no key, no private address and no path. */
export function reportText(sources: ReportSources, words: ReportWords): string {
  const scrub = createScrub(sources.known);
  const { account, settings, profiles, errors, calls } = sources;
  const listed = listCalls(calls);
  const accountFacts = [
    `- ${words.accountStatus(account.status)}`,
    ...(account.error === undefined ? [] : [`- ${code(scrub(errorFacts(account.error)))}`]),
    ...profiles.map(
      ({ baseUrl, isActive, key }) => `- ${words.profile({ host: hostClassOf(baseUrl), isActive, key })}`,
    ),
  ];
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [words.whatHappened, [`<!-- ${words.whatHappenedAsks} -->`, '']],
    [words.versions, factLines(sources.versions, words, scrub)],
    [words.account, accountFacts],
    [words.network, factLines(sources.network, words, scrub)],
    [
      words.settings,
      orElse(
        settings.map((setting) => settingLine(setting, words, scrub)),
        words.noSettings,
      ),
    ],
    [words.counts, factLines(sources.counts, words, scrub)],
    [
      words.errors,
      block(
        errors.map(({ at, error }) => `${timeOf(at)} ${scrub(errorFacts(error))}`),
        calls.some(isFailed) ? words.onlyFailedCalls : words.noErrors,
      ),
    ],
    [
      words.calls,
      block(
        listed.slice(0, maxCalls).map((one) => reportedCall(one, scrub)),
        words.noCalls,
      ),
    ],
  ];
  const body = sections.flatMap(([title, lines]) => [`## ${title}`, '', ...lines, '']);
  return [`# ${words.title}`, '', `<!-- ${words.introduction} -->`, '', ...body].join('\n');
}

/** A version, an operating system's name, a number: nothing beyond a short line of plain characters. */
const factForm = /^[A-Za-z0-9 .,()+:/_-]{1,80}$/;

function factLines(facts: readonly ReportFact[], { yes, no }: ReportWords, scrub: Scrub): readonly string[] {
  const valueOf = (value: string | boolean) => {
    if (typeof value === 'boolean') return value ? yes : no;
    return factForm.test(value) ? scrub(value) : '…';
  };
  return facts.map(([label, value]) => `- ${label}: ${valueOf(value)}`);
}

function settingLine(
  { name, value, form }: ReportSources['settings'][number],
  words: ReportWords,
  scrub: Scrub,
): string {
  const fact = settingFact(value, form);
  return `- ${code(name)}: ${fact.kind === 'shown' ? code(scrub(fact.text)) : words.setting(fact)}`;
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
export type HostClass = PublicHost | 'thisMachine' | 'privateNetwork' | 'other' | 'unreadable';

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

export type SettingFact =
  | { readonly kind: 'shown'; readonly text: string }
  | { readonly kind: 'entries'; readonly count: number }
  | { readonly kind: 'path'; readonly isAbsolute: boolean }
  /** The setting is set; its value is not shown. */
  | { readonly kind: 'hidden' };

const hidden: SettingFact = { kind: 'hidden' };

/** Returns what may be shown of any value: a settings file contains whatever somebody wrote there. */
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
