"""Whatever comes in from outside, spoiled at random: it is taken or refused, and nothing else ever happens."""
