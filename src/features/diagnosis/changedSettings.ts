import { isDeepStrictEqual } from 'node:util';
import type { ReportSources } from '../../core/diagnosis/report';
import type { SettingForm } from '../../core/diagnosis/settingFact';
import { readSetting, settingDefaults } from '../../platform/contributions';
import type { SettingName } from '../../platform/contributions';
import type { Services } from '../../services/services';

type Form = 'plain' | 'amount' | 'path' | 'entries' | 'model' | readonly string[];

/** How much of each setting the report shows: strings only from a fixed list, of names chosen by a person only their number. */
const forms: Readonly<Record<Exclude<SettingName, 'profiles'>, Form>> = {
  'network.stack': ['auto', 'undici', 'editor'],
  'account.lowBalance': 'amount',
  'statusBar.show': 'plain',
  'chat.messageLimit': 'plain',
  'chat.maxToolRounds': 'plain',
  'chat.dailyTokenBudget': 'plain',
  'batch.files': 'entries',
  'batch.severities': 'entries',
  'batch.lenses': 'plain',
  'batch.answers': ['both', 'hints', 'lens', 'off'],
  'batch.resultsFolder': 'path',
  'batch.localRequests': 'plain',
  'media.folder': 'path',
  'images.perMinute': 'plain',
  'ghostText.mode': ['off', 'manual', 'automatic'],
  'ghostText.languages': 'entries',
  secretFiles: 'entries',
  'ghostText.model': 'model',
  'ghostText.maxTokens': 'plain',
  'ghostText.waitMs': 'plain',
  'ghostText.maxFileSize': 'plain',
  'ghostText.dailyTokenBudget': 'plain',
  'findByMeaning.candidates': ['auto', 'text', 'embeddings'],
  'agentTools.dailyTokenBudget': 'plain',
  'mcp.dailyOrders': 'plain',
  'mcp.enabled': 'plain',
  'models.capabilities': 'entries',
  extensionAccess: 'entries',
  selectionMenu: 'plain',
};

/** Returns the settings that differ from their defaults. The profiles are reported separately. */
export function changedSettings({ models }: Services): ReportSources['settings'] {
  const known = new Set(models.state.models.map(({ id }) => id));
  return (Object.keys(forms) as (keyof typeof forms)[])
    .map((name) => ({ name, value: readSetting(name, { onlyUser: false }) }))
    .filter(({ name, value }) => value !== undefined && !isDeepStrictEqual(value, settingDefaults[name]))
    .map(({ name, value }) => ({ name: `inferenceDesk.${name}`, value, form: toForm(forms[name], { name, known }) }));
}

interface FormContext {
  readonly name: SettingName;
  readonly known: ReadonlySet<string>;
}

function toForm(form: Form, { name, known }: FormContext): SettingForm {
  if (typeof form !== 'string') return { kind: 'plain', default: settingDefaults[name], words: form };
  if (form === 'plain') return { kind: 'plain', default: settingDefaults[name] };
  return form === 'model' ? { kind: 'model', known } : { kind: form };
}
