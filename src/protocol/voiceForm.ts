import type { VoiceForm } from './voice';

/** A form with nothing set. */
export const emptyVoiceForm: VoiceForm = {
  input: '',
  model: '',
  response_format: '',
  sample_rate: '',
  speed: '',
  gain: '',
  stream: false,
};
