/**
 * Error boundaries: an error while rendering a part of the screen replaces only that part, and a retry resets its
 * failed queries. Regions (views/kit) and whole screens (views/shell.tsx) are wrapped alike.
 */
import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';

export interface BoundaryProps {
  /** Drawn in place of the children; `retry` draws them again. */
  fallback(error: unknown, retry: () => void): ReactNode;
  /** When this changes the error is forgotten: it belonged to something else. What is there stays, and who is in it with the keyboard. */
  of?: string;
  children: ReactNode;
}

/** Catches what its children throw while they are drawn. */
export function Boundary(props: BoundaryProps) {
  return <QueryErrorResetBoundary>{({ reset }) => <Catcher {...props} onReset={reset} />}</QueryErrorResetBoundary>;
}

interface Caught {
  failure: { error: unknown } | null;
  of: string | undefined;
}

class Catcher extends Component<BoundaryProps & { onReset(): void }, Caught> {
  override state: Caught = { failure: null, of: this.props.of };

  static getDerivedStateFromError(error: unknown): Partial<Caught> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, state: Caught): Caught | null {
    return of === state.of ? null : { failure: null, of };
  }

  retry = (): void => {
    this.props.onReset();
    this.setState({ failure: null });
  };

  override render(): ReactNode {
    const { failure } = this.state;
    return failure ? this.props.fallback(failure.error, this.retry) : this.props.children;
  }
}
