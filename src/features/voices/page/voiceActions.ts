import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { runCommand } from '../../../platform/contributions';
import { runAction } from '../../../platform/errors/reportError';
import { UserError } from '../../../platform/errors/userError';
import { insertAtCursor } from '../../../platform/workspace/insertAtCursor';
import type { TakeStep, TranscriptStep, VoiceStep } from '../../../protocol/voice';
import { recordingEndings } from '../recording';
import { keepAgain, speakAgain } from './speechWords';
import type { ShownTake, VoiceController } from './voiceController';
import { lookAgain } from './voiceView';

/** The error for a take that is not listed any more. */
export function goneTake(): UserError {
  return new UserError(l10n.t('This clip no longer exists'), l10n.t('The file has been deleted or moved.'));
}

export function recordingOf(take: ShownTake | undefined) {
  if (!take) throw goneTake();
  return { path: take.path, name: take.asset.recipe.file.name };
}

export async function chooseRecording(): Promise<{ readonly path: string; readonly name?: string } | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Transcribe'),
      openLabel: l10n.t('Transcribe'),
      filters: { [l10n.t('Recordings')]: recordingEndings, [l10n.t('All Files')]: ['*'] },
    })) ?? [];
  return uri && { path: uri.fsPath };
}

/** Returns what to tell the user; empty if the step shows itself. */
export async function doWithTake(controller: VoiceController, step: TakeStep, take: ShownTake): Promise<string> {
  const { asset } = take;
  switch (step) {
    case 'use':
      await controller.use(asset);
      return l10n.t('Copied the text and settings to the form.');
    case 'again':
      // The command first asks where to send it if the take was generated at another service.
      runCommand('inferenceDesk.media.regenerate', asset.path).catch(controller.services.report);
      return '';
    case 'recipe':
      await runCommand('inferenceDesk.media.showRecipe', asset.path);
      return '';
    case 'insert':
    case 'saveAs':
    case 'reveal':
    case 'openOutside':
    case 'remove':
      await runCommand(`inferenceDesk.media.${step}`, asset.path);
      return '';
  }
}

/** The same for the transcript. */
export async function doWithTranscript(controller: VoiceController, step: TranscriptStep): Promise<string> {
  const { transcript } = controller.memory;
  if (!transcript) return '';
  switch (step) {
    case 'copy':
      await vscode.env.clipboard.writeText(transcript.text);
      return l10n.t('Copied the transcript.');
    case 'insert':
      await insertAtCursor(transcript.text, await controller.panels.lastEditor.reveal());
      return l10n.t('Inserted the transcript.');
    case 'open':
      await (await controller.services.contents()).show(`${transcript.name}.txt`, transcript.text);
      return '';
    case 'dismiss':
      await controller.forgetTranscript();
      return '';
  }
}

/** The same for the voice. */
export async function doWithVoice({ uri, panels }: VoiceController, step: VoiceStep): Promise<string> {
  switch (step) {
    case 'copyUri':
      await vscode.env.clipboard.writeText(uri);
      return l10n.t('Copied the URI.');
    case 'insertUri':
      await insertAtCursor(uri, await panels.lastEditor.reveal());
      return l10n.t('Inserted the URI.');
    case 'delete':
      await runCommand('inferenceDesk.voices.delete', uri);
      return '';
    case 'other':
      await runCommand('inferenceDesk.voices.open');
      return '';
  }
}

/** Runs an action of a notice. Unknown ids do nothing: the page is not trusted. */
export async function act(controller: VoiceController, id: string): Promise<void> {
  const { services, speaking, transcribing, panels } = controller;
  const { request } = transcribing;
  if (id === 'retry') controller.retry().catch(services.report);
  else if (id === speakAgain) controller.speak(controller.form, { isMeant: true }).catch(services.report);
  else if (id === keepAgain) await speaking.keepAgain();
  else if (id === lookAgain) await panels.styles.refresh();
  else if (id === 'transcribeAgain') {
    if (request) void transcribing.transcribe(request.path, request.model, request.name);
  } else await runAction(id);
}
