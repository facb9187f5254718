import { readFile } from 'node:fs/promises';
import { textOfMp3 } from '../audio/mp3';
import { readWav } from '../audio/wav';
import type { Endpoint } from '../call';
import { modelsOf } from '../catalogue';
import { Refusal, badParameter, unknownModel } from '../refusal';
import { readStrictly, required, text } from '../validate';
import { wait } from '../wait';

/** From the vendor's page: at most one hour and 50 MB. */
const maxBytes = 50 * 1024 * 1024;
const maxSeconds = 3600;

/** Recognises only audio the demo itself has generated; describes any other file. */
export const transcriptions: Endpoint = {
  name: 'POST /audio/transcriptions',
  body: 'form',
  standIn: 'FunAudioLLM/SenseVoiceSmall',
  handle: async ({ service, signal, body, files, reply }) => {
    const { model: id } = readStrictly(body, { model: required(text({ min: 1 })) });
    if (!modelsOf('speech-to-text').some((model) => model.id === id)) throw unknownModel();
    const [upload] = files.filter((file) => file.field === 'file');
    if (upload === undefined) throw badParameter('Field required: file', 'file');
    if (upload.bytes === 0) throw badParameter('Value error, the audio is empty.', 'file');
    if (upload.bytes > maxBytes) throw new Refusal(413, 20015, 'The audio is larger than 50 MB.', 'file');
    const bytes = await readFile(upload.path);
    const facts = readWav(bytes);
    if ((facts?.seconds ?? 0) > maxSeconds)
      throw badParameter('Value error, the audio is longer than an hour.', 'file');
    await wait(service.pace().workMs, signal);
    const described =
      facts === undefined
        ? `${upload.bytes} bytes of audio`
        : `${facts.seconds.toFixed(1)} seconds of audio at ${facts.sampleRate} Hz`;
    return reply.json(200, {
      text: facts?.comment ?? textOfMp3(bytes) ?? `The demo service hears no words: ${described}.`,
    });
  },
};
