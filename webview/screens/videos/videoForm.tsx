import { useEffect, useId, useRef } from 'preact/hooks';
import { ModelBox } from '../../components/modelBox';
import { isSendKey, ignoreHeldEnter, isFirstClick } from '../../components/sendOnce';
import { FieldNote } from '../../components/parameter';
import type { Videos } from './videosContext';
import { ImageField } from './imageField';
import { IconButton } from '../../components/iconButton';
import { randomSeed } from '../randomSeed';
import { videoSizes, type VideoSize } from '../../../src/protocol/videos';
import { LastCost } from '../../components/lastCost';

/** The form for generating a video. Ctrl or Cmd with Enter submits it from any field. */
export function VideoFields({ videos }: { readonly videos: Videos }) {
  const { session, strings } = videos;
  const { prompt, negativePrompt } = session.typed.form.value;
  return (
    <form
      class="video-form"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (!isSendKey(event)) return;
        event.preventDefault();
        void session.submit();
      }}
    >
      <Words
        name={strings.prompt}
        placeholder={strings.promptPlaceholder}
        value={prompt}
        rows={4}
        isFirst
        issue={session.typed.issues.value.prompt}
        onChange={(value) => session.typed.edit({ prompt: value })}
      />
      <Words
        name={strings.negativePrompt}
        placeholder={strings.negativePlaceholder}
        value={negativePrompt}
        rows={1}
        onChange={(value) => session.typed.edit({ negativePrompt: value })}
      />
      <Model videos={videos} />
      <ImageField videos={videos} />
      <div class="video-pair">
        <SizeField videos={videos} />
        <SeedField videos={videos} />
      </div>
      <SubmitBar videos={videos} />
    </form>
  );
}

interface WordsProps {
  readonly name: string;
  readonly placeholder: string;
  readonly value: string;
  readonly rows: number;
  readonly isFirst?: boolean;
  readonly issue?: string | undefined;
  readonly onChange: (value: string) => void;
}

function Words({ name, placeholder, value, rows, isFirst = false, issue, onChange }: WordsProps) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFirst && document.hasFocus() && document.activeElement === document.body) box.current?.focus();
  }, []);
  return (
    <div class="video-field">
      <label for={id}>{name}</label>
      <textarea
        ref={box}
        id={id}
        class="video-text"
        dir="auto"
        rows={rows}
        placeholder={placeholder}
        aria-invalid={issue !== undefined}
        aria-describedby={`${id}-issue`}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <FieldNote id={`${id}-issue`} issue={issue} />
    </div>
  );
}

function Model({ videos: { session, strings } }: { readonly videos: Videos }) {
  const id = useId();
  const page = session.page.value;
  const { model } = session.typed.form.value;
  const kinds = { needed: strings.modelFromPicture, refused: strings.modelFromText, unknown: '' };
  return (
    <div class="video-field" title={model}>
      <label for={id}>{strings.model}</label>
      <ModelBox
        id={id}
        value={model}
        models={page?.models.map((one) => ({ id: one.id, detail: kinds[one.picture] }))}
        isLoading={page?.modelsAreLoading === true}
        words={strings}
        wanted={session.modelWanted.value}
        describedBy={`${id}-issue`}
        onChange={(value) => session.typed.edit({ model: value })}
      />
      <FieldNote id={`${id}-issue`} issue={session.typed.issues.value.model} />
    </div>
  );
}

function SeedField({ videos: { session, strings } }: { readonly videos: Videos }) {
  const id = useId();
  const { seed } = session.typed.form.value;
  const issue = session.typed.issues.value.seed;
  const edit = (value: string) => session.typed.edit({ seed: value });
  return (
    <div class="video-field video-seed" title={strings.seedHint}>
      <label for={id}>{strings.seed}</label>
      <div class="video-box">
        <input
          id={id}
          type="text"
          inputmode="numeric"
          autocomplete="off"
          spellcheck={false}
          placeholder={strings.seedPlaceholder}
          aria-invalid={issue !== undefined}
          aria-describedby={`${id}-issue`}
          value={seed}
          onInput={({ currentTarget }) => edit(currentTarget.value)}
        />
        {seed !== '' && <IconButton icon="close" label={strings.clearSeed} onClick={() => edit('')} />}
        <IconButton icon="refresh" label={strings.dice} onClick={() => edit(randomSeed(Math.random()))} />
      </div>
      <FieldNote id={`${id}-issue`} issue={issue} />
    </div>
  );
}

/** The available sizes, as shapes. The arrow keys move between them. */
function SizeField({ videos: { session, strings } }: { readonly videos: Videos }) {
  const chosen = session.typed.form.value.size;
  const names: Readonly<Record<VideoSize, string>> = {
    '1280x720': strings.wide,
    '720x1280': strings.tall,
    '960x960': strings.square,
  };
  return (
    <fieldset class="video-field video-sizes">
      <legend>{strings.size}</legend>
      <div class="video-size-list">
        {videoSizes.map((size) => (
          <label class="video-size" key={size} title={names[size]}>
            <input
              type="radio"
              name="size"
              class="spoken"
              value={size}
              checked={size === chosen}
              onChange={() => session.typed.edit({ size })}
            />
            <span class="video-shape-room" aria-hidden="true">
              <span class={`video-shape video-shape-${size}`} />
            </span>
            <span class="spoken">{names[size]} </span>
            <span class="video-size-name">{size.replace('x', ' × ')}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The Generate button, which is Stop while a request is being sent; beside it the progress, or the obstacle. */
function SubmitBar({ videos: { session, strings } }: { readonly videos: Videos }) {
  const sending = session.sending.value;
  const obstacle = session.obstacle.value;
  const cost = session.page.value?.costs.find(({ model }) => model === session.typed.form.value.model);
  const isSignedOut = obstacle === 'needsSignIn';
  const canSubmit =
    session.page.value !== undefined && obstacle === undefined && !sending && !session.isReadingPicture.value;
  return (
    <div class="video-submit">
      {sending ? (
        <vscode-button key="stop" appearance="secondary" onClick={() => session.stop()}>
          {strings.stop}
        </vscode-button>
      ) : (
        <vscode-button
          key="submit"
          appearance="primary"
          title={/mac/i.test(navigator.userAgent) ? strings.submitHintMac : strings.submitHint}
          aria-describedby="submit-about"
          disabled={!canSubmit}
          onKeyDown={ignoreHeldEnter}
          onClick={(event: MouseEvent) => canSubmit && isFirstClick(event) && void session.submit()}
        >
          {strings.submit}
        </vscode-button>
      )}
      <span class="videos-muted" id="submit-about">
        {sending ? sending.text || strings.submitting : (obstacle && strings[obstacle]) || session.done.value}
        {cost && !sending && <LastCost cost={cost} />}
      </span>
      {isSignedOut && (
        <button type="button" class="link" onClick={() => session.act('signIn')}>
          {strings.signIn}
        </button>
      )}
    </div>
  );
}
