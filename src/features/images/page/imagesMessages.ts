import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { GateWait } from '../../../core/api/transport/gate';
import { numberText } from '../../../platform/displayText';
import { waitTitle } from '../../../platform/errors/limitMessages';
import { dateFormat } from '../../../protocol/formats';

export function paceText(perMinute: number): string {
  if (perMinute === 0) return l10n.t('No limit per minute');
  return l10n.t('At most {0} per minute', numberText(perMinute, vscode.env.language));
}

/** Describes why a request in flight is delayed, and until when. */
export function sendingNote(wait: GateWait): string {
  const time = dateFormat(vscode.env.language, { timeStyle: 'medium' }).format(wait.until);
  return l10n.t('{0}. It goes on at {1}.', waitTitle(wait), time);
}
