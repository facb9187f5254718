import { useEffect, useId, useRef } from 'preact/hooks';
import { ModelBox } from '../../components/modelBox';
import { isSendKey } from '../../components/sendOnce';
import { FieldNote } from '../../components/parameter';
import type { Videos } from './videosContext';
import { ImageField } from './imageField';
import { SeedField } from './seedField';
import { SizeField } from './sizeField';
import { SubmitBar } from './submitBar';

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
