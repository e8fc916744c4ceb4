"""The journal: it saves every accepted action durably, so that games can be resumed and replayed."""
