import { effect, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Plain text. New text is appended, so that updating a long text costs no more than what was added. */
export function PlainText({
  text,
  class: className,
}: {
  readonly text: ReadonlySignal<string>;
  readonly class: string;
}) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const node = document.createTextNode('');
    root.current?.replaceChildren(node);
    return effect(() => {
      const whole = text.value;
      const drawn = node.data;
      if (whole.startsWith(drawn)) node.appendData(whole.slice(drawn.length));
      else node.data = whole;
    });
  }, [text]);
  return <div class={className} dir="auto" tabIndex={0} ref={root} />;
}
