import { voiceBounds } from '../../../src/protocol/mediaBounds';
import type { VoiceUploadForm, VoiceUploadRequest, VoiceUploadView } from '../../../src/protocol/voiceUpload';

export type NameFault = 'nameColon' | 'nameLong';

/** A reason that prevents an upload. If several apply, the first one is reported. */
export type Obstacle =
  | 'needsSignIn'
  | 'needsSample'
  | 'needsMending'
  | 'needsText'
  | 'needsName'
  | 'needsModel'
  | 'needsFields'
  | 'needsOwner'
  | 'needsConsent';

const emptyForm: VoiceUploadForm = {
  name: '',
  text: '',
  model: '',
  way: 'file',
  pcmRate: 0,
  note: '',
  isAllowed: false,
};

/** Returns the values the user entered, and the suggested ones for all other fields. */
export function formOf(written: Partial<VoiceUploadForm>, view: VoiceUploadView | undefined): VoiceUploadForm {
  return { ...emptyForm, ...view?.suggested, ...written };
}

export function nameFault({ name }: VoiceUploadForm): NameFault | undefined {
  if (name.includes(':')) return 'nameColon';
  return Array.from(name.trim()).length > voiceBounds.name ? 'nameLong' : undefined;
}

export function isTextLong({ text }: VoiceUploadForm): boolean {
  return text.trim().length > voiceBounds.text;
}

export function obstacleOf(form: VoiceUploadForm, view: VoiceUploadView): Obstacle | undefined {
  if (!view.account) return 'needsSignIn';
  if (view.state !== 'ready') return 'needsSample';
  if (view.findings.some(({ severity }) => severity === 'error')) return 'needsMending';
  if (form.text.trim() === '') return 'needsText';
  if (form.name.trim() === '') return 'needsName';
  if (form.model.trim() === '') return 'needsModel';
  if (nameFault(form) !== undefined || isTextLong(form)) return 'needsFields';
  if (form.note.trim() === '') return 'needsOwner';
  return form.isAllowed ? undefined : 'needsConsent';
}

/** Returns `undefined` if there is an obstacle. */
export function toRequest(
  form: VoiceUploadForm,
  view: VoiceUploadView,
  evenIfNamed: boolean,
): VoiceUploadRequest | undefined {
  if (obstacleOf(form, view) !== undefined || !view.account) return undefined;
  return { form, profileId: view.account.profileId, evenIfNamed };
}
