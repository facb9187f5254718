import assert from 'node:assert/strict';
import {
  builtInUri,
  builtInVoices,
  documentedModels,
  modelsOfVoice,
  modelsWith,
  toBuiltInVoice,
  uriOfVoice,
  voiceFor,
} from '../../../../src/core/voices/builtInVoices';
import { formOfRequest, readSpeechForm, refusedField } from '../../../../src/core/voices/speechForm';
import type { SpeechForm } from '../../../../src/core/voices/speechForm';

const model = 'FunAudioLLM/CosyVoice2-0.5B';
const style = 'speech:anna:clx0abc:mhdabcdef';
const empty: SpeechForm = {
  input: 'Hello.',
  model,
  response_format: '',
  sample_rate: '',
  speed: '',
  gain: '',
  stream: false,
};

describe('the speech form', () => {
  it('sends only set values', () => {
    assert.deepEqual(readSpeechForm(empty, style).request, { model, input: 'Hello.', voice: style });
    const form: SpeechForm = {
      ...empty,
      response_format: 'wav',
      sample_rate: '44100',
      speed: ' 1.5',
      gain: '-3',
      stream: true,
    };
    const request = { response_format: 'wav', sample_rate: 44_100, speed: 1.5, gain: -3, stream: true } as const;
    assert.deepEqual(readSpeechForm(form, style).request, { model, input: 'Hello.', voice: style, ...request });
  });

  it('restores the form of a request', () => {
    const form: SpeechForm = { ...empty, response_format: 'pcm', sample_rate: '8000', gain: '0', speed: '0.25' };
    const { request } = readSpeechForm(form, style);
    assert.deepEqual(request && formOfRequest(request), form);
  });

  it("names the field that can't be sent", () => {
    const read = readSpeechForm(
      { ...empty, input: ' ', model: '', speed: '4.1', gain: 'loud', sample_rate: '1.5' },
      style,
    );
    assert.equal(read.request, undefined);
    assert.deepEqual(
      Object.entries(read.faults).map(([name, fault]) => [
        name,
        fault.kind === 'parameter' ? `${fault.issue.rule} ${String(fault.issue.bound)}` : fault.kind,
      ]),
      [
        ['input', 'missing'],
        ['model', 'missing'],
        ['gain', 'notNumber'],
        ['sample_rate', 'integer undefined'],
        ['speed', 'max 4'],
      ],
    );
  });

  it("warns of a rate that the format doesn't support, and sends it", () => {
    const read = readSpeechForm({ ...empty, response_format: 'opus', sample_rate: '16000' }, style);
    assert.deepEqual(read.warnings.sample_rate?.bound, ['48000']);
    assert.equal(read.request?.sample_rate, 16_000);
    assert.deepEqual(readSpeechForm({ ...empty, sample_rate: '32000' }, style).warnings, {});
    assert.deepEqual(readSpeechForm({ ...empty, sample_rate: '8000' }, style).warnings.sample_rate?.bound, [
      '32000',
      '44100',
    ]);
  });

  it('finds the field that a rejection is about', () => {
    const request = { model, input: 'a', voice: style, response_format: 'mp3', speed: 2 } as const;
    assert.equal(refusedField({ parameter: 'speed', message: 'no' }, request), 'speed');
    assert.equal(refusedField({ message: 'makes wav and pcm only, not mp3.' }, request), 'response_format');
    assert.equal(refusedField({ parameter: 'gain', message: 'gain' }, request), undefined);
  });
});

describe('built-in voices', () => {
  it('are identified with their model, and distinguished from custom voices', () => {
    assert.deepEqual(toBuiltInVoice(`${model}:alex`), { model, name: 'alex' });
    assert.equal(builtInUri({ model, name: 'alex' }), `${model}:alex`);
    for (const uri of [style, 'speech:x:y:alex', `${model}:nobody`, ':alex', 'alex', ''])
      assert.equal(toBuiltInVoice(uri), undefined, uri);
  });

  it('use the selected model, and custom voices are unchanged', () => {
    assert.equal(voiceFor(`${model}:anna`, 'other/CosyVoice2'), 'other/CosyVoice2:anna');
    assert.equal(voiceFor(style, 'other/model'), style);
  });

  it('of OpenAI are sent by name only, also at OpenRouter, and found again by it', () => {
    for (const id of ['gpt-4o-mini-tts', 'tts-1-hd', 'openai/gpt-4o-mini-tts']) {
      const voices = builtInVoices([id]);
      assert.equal(voices.length, 11);
      for (const voice of voices) {
        const uri = builtInUri(voice);
        assert.deepEqual(toBuiltInVoice(uri), voice);
        assert.equal(voiceFor(uri, id), voice.name);
        assert.equal(uriOfVoice({ voice: voice.name, model: id }), uri);
        assert.deepEqual(modelsWith(voice, [id, model]), [id]);
      }
    }
    assert.equal(uriOfVoice({ voice: style, model }), style);
    assert.equal(toBuiltInVoice(`${model}:alloy`), undefined);
  });

  it('are offered for models that have them', () => {
    assert.equal(builtInVoices(['IndexTeam/IndexTTS-2', model]).length, 8);
    assert.deepEqual(builtInVoices([documentedModels.vendor])[0], { model, name: 'alex' });
    assert.deepEqual(builtInVoices(['IndexTeam/IndexTTS-2']), []);
    assert.deepEqual(modelsOfVoice(undefined, ['a', 'b']), ['a', 'b']);
    assert.deepEqual(modelsOfVoice('a', ['b']), ['a']);
  });
});
