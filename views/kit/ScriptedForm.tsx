/** A form that is sent by code (`useForm`), also when it was pressed before the code had come. Its fields hold what was typed themselves. */
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import type { HeldForm } from './early-press.ts';
import type { Form } from './use-form.ts';

export interface ScriptedFormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> {
  form: Pick<Form<string>, 'onSubmit'>;
}

export function ScriptedForm({ form, ...props }: ScriptedFormProps) {
  const own = useRef<HeldForm>(null);
  // Values that only the browser has, such as its time zone, are set in effects, too, and rendered together with this.
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  useEffect(() => {
    const held = own.current;
    if (held === null || !isDrawn) return;
    const { early } = held;
    held.isTaken = true;
    delete held.early;
    if (early !== undefined) held.requestSubmit(early === held ? null : early);
  }, [isDrawn]);
  return <form ref={own} data-own="" method="post" noValidate {...props} onSubmit={form.onSubmit} />;
}
