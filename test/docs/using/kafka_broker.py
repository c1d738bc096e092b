"""Runs the mock broker of librdkafka. Prints its address, then each message of the topic `floe`."""

from confluent_kafka import Consumer, Producer

producer = Producer({"test.mock.num.brokers": 1})
# Asking for the topic creates it.
broker = next(iter(producer.list_topics("floe", timeout=60).brokers.values()))
address = f"{broker.host}:{broker.port}"
print(address, flush=True)
consumer = Consumer({"bootstrap.servers": address, "group.id": "floe", "auto.offset.reset": "earliest"})
consumer.subscribe(["floe"])
while True:
    message = consumer.poll(60)
    if message is not None and message.error() is None:
        print(message.value().decode(), flush=True)
