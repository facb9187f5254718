import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { chatPaths } from '../../core/api/chat/chatWays';
import { parseJson } from '../../core/api/parseJson';
import {
  overrideProblem,
  readOverrides,
  withOverride,
  type ModelOverrides,
  type OverrideName,
} from '../../core/capabilities/modelOverrides';
import { listedCapabilities } from '../../core/capabilities/modelCapabilities';
import { fitsJob } from '../../core/catalogue/jobs';
import { foreign } from '../../core/text/foreignText';
import { numberText } from '../../platform/displayText';
import { askPick, askText, type PickItem } from '../../platform/quickInput';
import type { Services } from '../../services/services';

/** A model of an account. */
export interface EditedModel {
  readonly profileId: string;
  readonly model: string;
}

interface Choices {
  readonly kind: 'choice';
  readonly choices: () => readonly { readonly label: string; readonly value: unknown }[];
}

interface Typed {
  readonly kind: 'text';
  readonly prompt: () => string;
  readonly example: string;
  /** Returns the value that a text stands for; `undefined` if it can't be read. */
  readonly parse: (text: string) => unknown;
  readonly format: (value: unknown) => string;
}

type Property = (Choices | Typed) & {
  readonly name: OverrideName;
  readonly label: () => string;
  /** Whether it matters to models that don't chat. */
  readonly isForAll?: true;
};

const works: Choices = {
  kind: 'choice',
  choices: () => [
    { label: l10n.t('Works'), value: true },
    { label: l10n.t("Doesn't work"), value: false },
  ],
};
const wholeNumber = {
  kind: 'text',
  parse: (text: string) => (/^\d{1,12}$/.test(text) ? Number(text) : undefined),
  format: String,
} as const;
const json = { kind: 'text', parse: parseJson, format: (value: unknown) => JSON.stringify(value) } as const;

const properties: readonly Property[] = [
  {
    name: 'endpoint',
    label: () => l10n.t('Endpoint'),
    kind: 'choice',
    choices: () => Object.entries(chatPaths).map(([value, label]) => ({ label, value })),
  },
  {
    name: 'streams',
    label: () => l10n.t('Streaming'),
    kind: 'choice',
    choices: () => [
      { label: l10n.t('On'), value: true },
      { label: l10n.t('Off'), value: false },
    ],
  },
  {
    name: 'waitSeconds',
    label: () => l10n.t('Time limit'),
    isForAll: true,
    ...wholeNumber,
    prompt: () => l10n.t('Maximum number of seconds until a response starts. 0 disables the limit.'),
    example: '600',
  },
  {
    name: 'headers',
    label: () => l10n.t('Extra headers'),
    isForAll: true,
    ...json,
    prompt: () => l10n.t("Stored unencrypted. Don't enter a key."),
    example: '{"X-Route": "blue"}',
  },
  {
    name: 'body',
    label: () => l10n.t('Extra body properties'),
    ...json,
    prompt: () => l10n.t('Added to each chat request. Stored unencrypted.'),
    example: '{"top_n_sigma": 1}',
  },
  {
    name: 'thinkingMarks',
    label: () => l10n.t('Thinking tags'),
    kind: 'text',
    prompt: () => l10n.t('Opening and closing tags around reasoning.'),
    example: '<think> </think>',
    parse: (text) => {
      const [open, close, ...others] = text.split(/\s+/);
      return others.length > 0 || close === undefined ? undefined : { open, close };
    },
    format: (value) => Object.values(value as object).join(' '),
  },
  { name: 'tools', label: () => l10n.t('Tool calls'), ...works },
  { name: 'images', label: () => l10n.t('Image input'), ...works },
  { name: 'jsonMode', label: () => l10n.t('JSON mode'), ...works },
  { name: 'logProbabilities', label: () => l10n.t('Log probabilities'), ...works },
  {
    name: 'thinking',
    label: () => l10n.t('Reasoning'),
    kind: 'choice',
    choices: () => [
      { label: l10n.t('Never'), value: 'never' },
      { label: l10n.t('When requested'), value: 'asked' },
      { label: l10n.t('Always'), value: 'always' },
    ],
  },
  {
    name: 'contextTokens',
    label: () => l10n.t('Context'),
    ...wholeNumber,
    prompt: () => l10n.t('Maximum number of prompt and response tokens.'),
    example: '32768',
  },
  {
    name: 'outputTokens',
    label: () => l10n.t('Response length'),
    ...wholeNumber,
    prompt: () => l10n.t('Maximum number of response tokens.'),
    example: '4096',
  },
];

/** Lets the user see and change what counts for one model, one property at a time. Each change is saved at once. */
export async function editCapabilities(services: Services, edited: EditedModel): Promise<void> {
  const { settings, connections, models, profiles } = services;
  const profile = profiles.get(edited.profileId);
  if (!profile) return;
  const learned = (await connections.learned(profile)).of(edited.model);
  let current: OverrideName | undefined;
  for (;;) {
    const { overrides } = readOverrides(settings.get('models.overrides'), edited.profileId, edited.model);
    const { profileId, models: listed } = models.state;
    const listedModel = profileId === edited.profileId ? listed.find(({ id }) => id === edited.model) : undefined;
    const isChat = !listedModel || fitsJob(listedModel, 'chat');
    const known: ModelOverrides = {
      endpoint: learned.chat,
      streams: learned.way?.streams,
      ...(isChat &&
        listedCapabilities(
          listedModel ?? { id: edited.model, types: [], subTypes: [] },
          settings.get('models.capabilities'),
        )),
      jsonMode: listedModel?.jsonMode,
      logProbabilities: listedModel?.logProbabilities,
    };
    const shown = properties.filter(({ isForAll }) => isForAll ?? isChat);
    const answer = await askPick<OverrideName | 'reset'>({
      title: l10n.t('Capabilities of {0}', foreign(edited.model)),
      placeholder: l10n.t('Select a capability. Your values override the check results.'),
      canGoBack: false,
      canFilter: true,
      ...(current && { current }),
      items: [
        ...shown.map((property) => itemOf(property, overrides, known)),
        ...(Object.keys(overrides).length === 0
          ? []
          : [{ label: l10n.t('Reset All'), iconPath: new vscode.ThemeIcon('discard'), value: 'reset' as const }]),
      ],
    });
    if (answer.kind !== 'value') return;
    const save = async (name: OverrideName, value: unknown) =>
      settings.set('models.overrides', withOverride(settings.get('models.overrides'), edited, name, value));
    if (answer.value === 'reset') {
      for (const { name } of properties) await save(name, undefined);
      continue;
    }
    current = answer.value;
    const property = shown.find(({ name }) => name === answer.value);
    const chosen = property && (await askValue(property, overrides[property.name]));
    if (chosen === 'cancelled') return;
    if (property && chosen !== undefined && chosen !== 'back') await save(property.name, chosen.value);
  }
}

function itemOf(property: Property, overrides: ModelOverrides, known: ModelOverrides): PickItem<OverrideName> {
  const { name } = property;
  const own = overrides[name];
  const found = known[name];
  const description =
    own !== undefined
      ? valueText(property, own)
      : found === undefined
        ? name === 'headers' || name === 'body'
          ? l10n.t('None')
          : l10n.t('Automatic')
        : l10n.t('Automatic: {0}', valueText(property, found));
  const icon = own === undefined ? 'blank' : 'edit';
  return { label: property.label(), description, iconPath: new vscode.ThemeIcon(icon), value: name };
}

function valueText(property: Property, value: unknown): string {
  if (property.kind === 'choice')
    return property.choices().find((choice) => choice.value === value)?.label ?? String(value);
  return typeof value === 'number' ? numberText(value, vscode.env.language) : foreign(property.format(value), 80);
}

/** Returns the new value, in which `undefined` is automatic. */
async function askValue(property: Property, own: unknown): Promise<{ readonly value: unknown } | 'back' | 'cancelled'> {
  const title = property.label();
  if (property.kind === 'choice') {
    const choices = [{ label: l10n.t('Automatic'), value: undefined }, ...property.choices()];
    const answer = await askPick<{ readonly value: unknown }>({
      title,
      placeholder: l10n.t('Select a value'),
      canGoBack: true,
      items: choices.map(({ label, value }) => ({
        label,
        iconPath: new vscode.ThemeIcon(value === own ? 'check' : 'blank'),
        value: { value },
      })),
    });
    return answer.kind === 'value' ? answer.value : answer.kind;
  }
  const answer = await askText({
    title,
    prompt: `${property.prompt()} ${l10n.t('Leave empty to set it automatically.')}`,
    placeholder: l10n.t('e.g. {0}', property.example),
    canGoBack: true,
    value: own === undefined ? '' : property.format(own),
    check: (text) => (text.trim() === '' ? undefined : overrideProblem(property.name, property.parse(text.trim()))),
  });
  if (answer.kind !== 'value') return answer.kind;
  const text = answer.value.trim();
  return { value: text === '' ? undefined : property.parse(text) };
}
