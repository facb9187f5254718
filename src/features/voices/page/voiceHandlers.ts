import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { runCommand } from '../../../platform/contributions';
import { insertAtCursor } from '../../../platform/workspace/insertAtCursor';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import { runAction } from '../../../platform/errors/reportError';
import { UserError } from '../../../platform/errors/userError';
import type { Handlers } from '../../../protocol/call';
import type { TakeStep, TranscriptStep, VoiceScreen, VoiceStep, VoiceView } from '../../../protocol/voice';
import type { Services } from '../../../services/services';
import { recordingEndings } from '../recording';
import { keepAgain, speakAgain } from './speechWords';
import type { ShownTake, VoiceSession } from './voiceSession';
import { lookAgain } from './voiceView';

export interface VoiceHandlersOptions {
  readonly session: VoiceSession;
  readonly view: () => VoiceView;
  readonly lastEditor: LastEditor;
  readonly services: Services;
  readonly refreshList: () => Promise<unknown>;
}

/** Handlers of the page. Long-running work is only started here; events report its progress. */
export function voiceHandlers(options: VoiceHandlersOptions): Handlers<VoiceScreen> {
  const { session, view, services } = options;
  const begin = (work: Promise<unknown>) => {
    work.catch(services.report);
    return view();
  };
  const after = async (work: void | Promise<unknown>) => {
    await work;
    return view();
  };
  return {
    'voice/ready': async () => view(),
    'voice/form': ({ form }) => after(session.setForm(form)),
    'voice/note': (note) => after(session.writeNote(note)),
    'voice/speak': async ({ form }) => begin(session.speak(form)),
    'voice/stop': () => after(session.speaking.stop()),
    'voice/take': async ({ id, step }) => {
      const take = session.take(id);
      if (!take) throw goneTake();
      return { said: await doWithTake(step, take, options) };
    },
    'voice/transcribe': async ({ model, take }) => {
      const recording = take === undefined ? await chooseRecording() : recordingOf(session.take(take));
      return recording ? begin(session.transcribing.transcribe(recording.path, model, recording.name)) : view();
    },
    'voice/stopTranscribing': () => after(session.transcribing.stop()),
    'voice/transcript': async ({ step }) => ({ said: await doWithTranscript(step, options) }),
    'voice/do': async ({ step }) => ({ said: await doWithVoice(step, options) }),
    async 'voice/act'({ id }) {
      await act(id, options);
      return {};
    },
  };
}

function goneTake(): UserError {
  return new UserError(l10n.t('This take is gone'), l10n.t('Its file was deleted or moved meanwhile.'));
}

function recordingOf(take: ShownTake | undefined) {
  if (!take) throw goneTake();
  return { path: take.path, name: take.asset.recipe.file.name };
}

async function chooseRecording(): Promise<{ readonly path: string; readonly name?: string } | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Transcribe'),
      openLabel: l10n.t('Transcribe'),
      filters: { [l10n.t('Recordings')]: recordingEndings, [l10n.t('All files')]: ['*'] },
    })) ?? [];
  return uri && { path: uri.fsPath };
}

async function doWithTake(
  step: TakeStep,
  take: ShownTake,
  { session, services }: VoiceHandlersOptions,
): Promise<string> {
  const { asset } = take;
  switch (step) {
    case 'use':
      await session.use(asset);
      return l10n.t('The text and the settings of the take stand in the form.');
    case 'again':
      // The command first asks where to send it if the take was generated at another service.
      runCommand('inferenceDesk.media.regenerate', asset.path).catch(services.report);
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

async function doWithTranscript(
  step: TranscriptStep,
  { session, services, lastEditor }: VoiceHandlersOptions,
): Promise<string> {
  const { transcript } = session.memory;
  if (!transcript) return '';
  switch (step) {
    case 'copy':
      await vscode.env.clipboard.writeText(transcript.text);
      return l10n.t('The text was copied.');
    case 'insert':
      await insertAtCursor(transcript.text, await lastEditor.reveal());
      return l10n.t('The text was inserted.');
    case 'open':
      await services.contents.show(`${transcript.name}.txt`, transcript.text);
      return '';
    case 'dismiss':
      await session.forgetTranscript();
      return '';
  }
}

async function doWithVoice(step: VoiceStep, { session: { uri }, lastEditor }: VoiceHandlersOptions): Promise<string> {
  switch (step) {
    case 'copyUri':
      await vscode.env.clipboard.writeText(uri);
      return l10n.t('The URI was copied.');
    case 'insertUri':
      await insertAtCursor(uri, await lastEditor.reveal());
      return l10n.t('The URI was inserted.');
    case 'delete':
      await runCommand('inferenceDesk.voices.delete', uri);
      return '';
    case 'other':
      await runCommand('inferenceDesk.voices.open');
      return '';
  }
}

/** Unknown action ids do nothing: the page is not trusted. */
async function act(id: string, { session, refreshList, services }: VoiceHandlersOptions): Promise<void> {
  const { asked } = session.transcribing;
  if (id === 'retry') session.retry().catch(services.report);
  else if (id === speakAgain) session.speak(session.form, { isMeant: true }).catch(services.report);
  else if (id === keepAgain) await session.speaking.keepAgain();
  else if (id === lookAgain) await refreshList();
  else if (id === 'transcribeAgain') {
    if (asked) void session.transcribing.transcribe(asked.path, asked.model, asked.name);
  } else await runAction(id);
}
