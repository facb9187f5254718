import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Voice } from '../../core/api/voices/voices.schema';
import { nameOf } from '../../core/catalogue/model';
import type { VoiceNote } from '../../core/voices/voiceNotes';
import { shortened } from '../../platform/displayText';
import { factsTooltip } from '../../platform/factsTooltip';
import type { RowDrawing } from '../../services/lists/listView';
import { listText } from '../../protocol/formats';
import { treeItem } from '../../platform/notify';

/** A voice style with the note stored on this machine. */
export interface VoiceRow {
  readonly voice: Voice;
  readonly note: VoiceNote | undefined;
}

/** Of the spoken text, in characters. */
const longestText = 80;

export function toVoiceItem({ voice: { uri, customName, model, text }, note }: VoiceRow): vscode.TreeItem {
  const name = customName || shortened(uri);
  const item = treeItem(name);
  const noted = notedWords(note);
  const sample = text?.replaceAll(/\s+/g, ' ').trim().slice(0, longestText);
  item.contextValue = 'voice';
  item.iconPath = new vscode.ThemeIcon(note?.isAllowed ? 'mic-filled' : 'mic');
  item.description = [model && nameOf(model).name, noted, sample && `“${sample}”`].filter(Boolean).join(' · ');
  item.command = {
    command: 'inferenceDesk.voices.open',
    title: l10n.t('Open Voice'),
    arguments: [uri],
  };
  item.accessibilityInformation = { label: listText([name, model, noted, sample], vscode.env.language) };
  return item;
}

/** A note can contain only the path of the recording. */
function notedWords(note: VoiceNote | undefined): string | undefined {
  if (note?.isAllowed) return l10n.t('consent confirmed');
  return note?.text ? l10n.t('has note') : undefined;
}

export function voiceTooltip({ voice: { uri, customName, model, text }, note }: VoiceRow): vscode.MarkdownString {
  return factsTooltip(customName || shortened(uri), [
    [l10n.t('URI'), uri],
    [l10n.t('Model'), model],
    [l10n.t('Sample transcript'), text],
    [l10n.t('Consent'), note && (note.isAllowed ? l10n.t('confirmed') : l10n.t('not confirmed'))],
    [l10n.t('Your note'), note?.text || undefined],
  ]);
}

export const voiceDrawing: RowDrawing<VoiceRow> = { toItem: toVoiceItem, tooltipOf: voiceTooltip };
