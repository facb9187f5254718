import { voiceBounds } from '../../../src/protocol/voiceUpload';
import type { VoiceUploadForm, VoiceUploadRequest, VoiceUploadView } from '../../../src/protocol/voiceUpload';

export type NameFault = 'nameColon' | 'nameLong';

/** What keeps a sample from being sent; the first that holds is told. */
export type Obstacle =
  | 'needsSignIn'
  | 'needsSample'
  | 'needsMending'
  | 'needsText'
  | 'needsName'
  | 'needsModel'
  | 'needsFields';

const emptyForm: VoiceUploadForm = {
  name: '',
  text: '',
  model: '',
  way: 'file',
  pcmRate: 0,
  note: '',
  isAllowed: false,
};

/** What is written, and what is suggested where nothing was. */
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
  return nameFault(form) !== undefined || isTextLong(form) ? 'needsFields' : undefined;
}

/** `undefined` where something keeps it from being sent. */
export function toRequest(
  form: VoiceUploadForm,
  view: VoiceUploadView,
  evenIfNamed: boolean,
): VoiceUploadRequest | undefined {
  if (obstacleOf(form, view) !== undefined || !view.account) return undefined;
  return { form, profileId: view.account.profileId, evenIfNamed };
}
